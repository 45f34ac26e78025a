import * as schemas from '@sats-connect/core'
import { parse } from 'valibot'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  allowCall,
  type ClientCall,
  type ClientCalls,
  reachClient,
  rejectCall,
} from '../../driver/client.ts'
import { FIRST, FIRST_ACCOUNT, SECOND, SECOND_ACCOUNT } from '../../fixtures/account-owners.ts'
import { broadcast, finishPsbt, mineTransaction } from '../../fixtures/broadcast.ts'
import { bundleClients } from '../../fixtures/client-bundle.ts'
import type { bigmiMetamask } from '../../fixtures/clients/bigmi-metamask.ts'
import type { SatsConnectAnswer, satsConnect } from '../../fixtures/clients/sats-connect.ts'
import type { walletStandard } from '../../fixtures/clients/wallet-standard.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { provesMessage } from '../../fixtures/message-proof.ts'
import { etch, holdingsOf, inscribe, whereIs } from '../../fixtures/ordinals/devnet-ord.ts'
import { fetchCoins } from '../../fixtures/psbt/coins.ts'
import { draftChain, draftPayment } from '../../fixtures/psbt/deals.ts'
import { RESULTS } from '../../fixtures/sats-connect-results.ts'
import { startWorld, type World } from '../../fixtures/world.ts'

/** An address of nobody in particular: BIP-173's example key. */
const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
/** The output that each payment here has. */
const PAID = { address: RECIPIENT, sats: 10_000n }
const REGTEST = {
  bitcoin: { name: 'Regtest' },
  stacks: { name: 'testnet' },
  spark: { name: 'regtest' },
}

type Method = keyof typeof RESULTS

describe.each(browsersFor('clients-standards'))(
  'libraries of wallet-neutral standards in %s',
  browser => {
    const isChromium = browser === 'chromium'
    let world: World

    beforeAll(async () => {
      const pages = await bundleClients(['sats-connect', 'wallet-standard', 'bigmi-metamask'])
      world = await startWorld(browser, { pages })
      for (let coin = 0; coin < 5; coin++) await world.devnet.faucet(FIRST.address, 200_000n)
    })
    afterAll(() => world?.stop())
    afterEach(async () => {
      expect(await world.wallet.countApprovalWindows()).toBe(0)
    })

    describe('sats-connect', () => {
      let client: ClientCalls<typeof satsConnect>
      const account = {
        address: FIRST.address,
        publicKey: FIRST.publicKey.slice(2),
        addressType: 'p2tr',
        walletType: 'software',
      }
      const addresses = [
        { ...account, purpose: 'payment' },
        { ...account, purpose: 'ordinals' },
      ]

      it('finds the wallet among the providers, and hears from it what it can, without a question', async () => {
        client = reachClient(await open('sats-connect'))
        expect(await client.isInstalled().result()).toBe(true)
        const providers = await client.listProviders().result()
        expect(providers).toEqual([
          {
            id: 'satchel.satsConnect',
            name: 'Satchel',
            icon: expect.stringContaining('data:image/svg+xml;base64,'),
            methods: expect.arrayContaining(Object.keys(RESULTS)),
          },
        ])
        const { methods, platform } = await ask('getInfo', null)
        expect({ methods, platform }).toEqual({ methods: providers[0]?.methods, platform: 'web' })
        expect(await fail('getBalance', null)).toMatchObject({ code: -32002 })
      })

      it('has a rejection told apart from every failure', async () => {
        const connecting = client.request('getAddresses', { purposes: ['payment'] })
        await rejectCall(world.wallet, connecting)
        expect(await connecting.result()).toMatchObject({
          status: 'error',
          error: { code: -32000 },
        })
        expect(await fail('getAddresses', { purposes: 'payment' })).toMatchObject({ code: -32602 })
        expect(await fail('stx_getAddresses', null)).toMatchObject({ code: -32601 })
      })

      it('connects once, after which addresses and balance are no question', async () => {
        const connected = await allow('wallet_connect', { message: 'To show your inscriptions' })
        expect(connected).toMatchObject({ addresses, walletType: 'software', network: REGTEST })
        const purposes = ['ordinals', 'payment', 'stacks']
        expect(await ask('getAddresses', { purposes })).toEqual({
          addresses: addresses.toReversed(),
          network: REGTEST,
        })
        expect(await ask('getAccounts', { purposes: ['payment'] })).toEqual([addresses[0]])
        expect(await ask('getBalance', null)).toEqual({
          confirmed: '1000000',
          unconfirmed: '0',
          total: '1000000',
        })
      })

      // Each question takes seconds in Firefox: it is asked only what Chromium's answers do not tell.
      const protocols = isChromium ? (['BIP322', 'ECDSA'] as const) : (['BIP322'] as const)
      it.each(protocols)('has a message signed by %s', async protocol => {
        const params = { address: FIRST.address, message: 'Grüße', protocol }
        const { signature, ...rest } = await allow('signMessage', params)
        expect(rest).toMatchObject({ address: FIRST.address, protocol })
        expect(provesMessage(FIRST.address, 'Grüße', signature)).toBe(true)
      })

      it('has several messages signed with one question', async () => {
        const { address } = FIRST
        const messages = ['one', 'two', 'one'].map(message => ({ address, message }))
        const signed = await allow('signMultipleMessages', messages)
        expect(signed).toMatchObject(messages)
        for (const { message, signature } of signed)
          expect(provesMessage(address, message, signature)).toBe(true)
      })

      it.runIf(isChromium)('has a PSBT signed, which stays its own to broadcast', async () => {
        const signing = { psbt: await draft(), signInputs: { [FIRST.address]: [0] } }
        const { psbt, txid } = await allow('signPsbt', signing)
        expect(txid).toBeUndefined()
        expect(await mine(await broadcast(world.devnet, finishPsbt(psbt)))).toContainEqual(PAID)
      })

      it('has a PSBT signed and broadcast', async () => {
        const signInputs = { [FIRST.address]: [0] }
        const signing = { psbt: await draft(), signInputs, broadcast: true }
        const { txid = '' } = await allow('signPsbt', signing)
        expect(await mine(txid)).toContainEqual(PAID)
      })

      it.runIf(isChromium)('pays one', async () => {
        expect(await pay(PAID)).toContainEqual(PAID)
      })

      it('pays several in one transaction, and is told why where the coins do not suffice', async () => {
        const other = { address: SECOND.address, sats: 12_345n }
        const outputs = await pay(PAID, other)
        expect(outputs).toHaveLength(3)
        expect(outputs).toEqual(expect.arrayContaining([PAID, other]))
        const recipients = [{ address: RECIPIENT, amount: 100_000_000 }]
        expect(await fail('sendTransfer', { recipients })).toMatchObject({
          code: -32603,
          data: { code: -32000, reason: 'INSUFFICIENT_FUNDS' },
        })
      })

      it.runIf(isChromium)('lists inscriptions and sends them', async () => {
        const ids = [
          ...(await inscribe(world.devnet, FIRST.address)),
          ...(await inscribe(world.devnet, FIRST.address, { body: 'second' })),
        ]
        await expect
          .poll(async () => (await ask('ord_getInscriptions', { offset: 0, limit: 10 })).total)
          .toBe(2)
        const { inscriptions } = await ask('ord_getInscriptions', { offset: 0, limit: 10 })
        expect(inscriptions.map(({ inscriptionId }) => inscriptionId)).toEqual(
          expect.arrayContaining(ids),
        )
        const [first = '', second = ''] = ids
        const transfers = [
          { address: RECIPIENT, inscriptionId: first },
          { address: SECOND.address, inscriptionId: second },
        ]
        await mine((await allow('ord_sendInscriptions', { transfers })).txid)
        expect(await whereIs(world.devnet, first)).toMatchObject({ address: RECIPIENT })
        expect(await whereIs(world.devnet, second)).toMatchObject({ address: SECOND.address })
      })

      it.runIf(isChromium)('lists runes and sends so many smallest units of one', async () => {
        const rune = { name: 'CLIENTS•OF•RUNES', amount: '5000', divisibility: 2, symbol: 'C' }
        await etch(world.devnet, FIRST.address, rune)
        await expect
          .poll(async () => (await ask('runes_getBalance', null)).balances)
          .toMatchObject([
            { runeName: rune.name, amount: '5000', divisibility: 2, spendableBalance: '5000' },
          ])
        const recipients = [{ runeName: rune.name, amount: '1250', address: RECIPIENT }]
        const { txid } = await allow('runes_transfer', { recipients })
        await mine(txid)
        const held = await Promise.all(
          [0, 1].map(vout => holdingsOf(world.devnet, `${txid}:${vout}`)),
        )
        expect(held.map(({ runes }) => runes[rune.name]?.amount)).toEqual([3750, 1250])
      })

      it.runIf(isChromium)('hears of another account and another network', async () => {
        await client.listen().result()
        await world.wallet.chooseAccount(SECOND_ACCOUNT)
        await expect.poll(readEvents).toEqual([{ type: 'disconnect' }])
        await allow('wallet_connect', null)
        await world.wallet.chooseAccount(FIRST_ACCOUNT)
        await expect.poll(async () => (await readEvents()).length).toBeGreaterThan(2)
        expect((await readEvents()).at(-1)).toEqual({ type: 'accountChange', addresses })

        await allow('wallet_changeNetwork', { name: 'Signet' })
        await expect
          .poll(readEvents)
          .toContainEqual(
            expect.objectContaining({ type: 'networkChange', bitcoin: { name: 'Signet' } }),
          )
        await allow('wallet_changeNetwork', { name: 'Regtest' })
        await expect
          .poll(async () => (await readEvents()).at(-1))
          .toEqual({ type: 'accountChange', addresses })
        for (const event of await readEvents()) parse(schemas.walletEventSchema, event)
        await client.unlisten().result()
      })

      it('gives the permission back', async () => {
        const heard = (await readEvents()).length
        expect(await ask('wallet_disconnect', null)).toBeNull()
        expect(await fail('getBalance', null)).toMatchObject({ code: -32002 })
        expect(await readEvents()).toHaveLength(heard)
      })

      it.runIf(isChromium)(
        'works with its own wallet object too, which asks through the default provider',
        async () => {
          const asking = client.requestOfWallet('getAccounts', { purposes: ['ordinals'] })
          const answer = await allowCall(world.wallet, asking)
          expect(read('getAccounts', answer)).toEqual([addresses[1]])
          await client.disconnectWallet().result()
          expect(await fail('getBalance', null)).toMatchObject({ code: -32002 })
        },
      )

      /** What an answer resolves to, by the schema of its method. */
      const read = <M extends Method>(method: M, answer: SatsConnectAnswer) => {
        if (answer.status === 'error') throw new Error(`${method}: ${JSON.stringify(answer.error)}`)
        return parse(RESULTS[method], answer.result)
      }
      const ask = async <M extends Method>(method: M, params: unknown) =>
        read(method, await client.request(method, params).result())
      const allow = async <M extends Method>(method: M, params: unknown) =>
        read(method, await allowCall(world.wallet, client.request(method, params)))
      const fail = async (method: string, params: unknown) => {
        const answer = await client.request(method, params).result()
        if (answer.status === 'success') throw new Error(`${method} succeeded`)
        return answer.error
      }
      const readEvents = () => client.readEvents().result()
      const pay = async (...outputs: (typeof PAID)[]) => {
        const recipients = outputs.map(({ address, sats }) => ({ address, amount: Number(sats) }))
        return mine((await allow('sendTransfer', { recipients })).txid)
      }
      const draft = async () => toBase64(await draftHex())
    })

    describe('@wallet-standard/app', () => {
      let client: ClientCalls<typeof walletStandard>
      const account = { ...FIRST, chains: ['bitcoin:regtest'] }

      it('finds the wallet once, with what it can', async () => {
        client = reachClient(await open('wallet-standard'))
        expect(await client.listNames().result()).toEqual({ all: ['Satchel'], late: [] })
        expect(await client.describe().result()).toMatchObject({
          name: 'Satchel',
          version: '1.0.0',
          icon: expect.stringMatching(/^data:image\/svg\+xml;base64,/),
          chains: expect.arrayContaining(['bitcoin:mainnet', 'bitcoin:testnet', 'bitcoin:regtest']),
          features: expect.arrayContaining([
            'bitcoin:connect',
            'bitcoin:signMessage',
            'bitcoin:signTransaction',
            'bitcoin:signAndSendTransaction',
            'standard:events',
            'standard:disconnect',
          ]),
        })
        expect(await client.readAccounts().result()).toEqual([])
      })

      it('connects, for each purpose that it names', async () => {
        await client.watch().result()
        const connecting = client.connect(['ordinals', 'payment'])
        const accounts = [
          { ...account, purpose: 'ordinals' },
          { ...account, purpose: 'payment' },
        ]
        expect(await allow(connecting)).toEqual(accounts)
        expect(await client.readAccounts().result()).toEqual(accounts)
        // Once more is no question.
        expect(await client.connect(['payment']).result()).toEqual([accounts[1]])
      })

      it.runIf(isChromium)('has a message signed', async () => {
        const { signedMessage, signature } = await allow(client.signMessage('Grüße'))
        expect(signedMessage).toBe('Grüße')
        expect(provesMessage(FIRST.address, 'Grüße', signature)).toBe(true)
      })

      it.runIf(isChromium)('has several messages signed with one question', async () => {
        const texts = ['one', 'Grüße', 'one']
        const signed = await allow(client.signMessages(...texts))
        expect(signed.map(({ signedMessage }) => signedMessage)).toEqual(texts)
        for (const { signedMessage, signature } of signed)
          expect(provesMessage(FIRST.address, signedMessage, signature)).toBe(true)
      })

      it.runIf(isChromium)('has a PSBT signed', async () => {
        const [signed = ''] = await allow(client.signTransaction(await draftHex()))
        expect(await mine(await broadcast(world.devnet, finishPsbt(signed)))).toContainEqual(PAID)
      })

      it('has PSBTs that build on each other signed and sent, with one question', async () => {
        const psbts = draftChain(await largestCoin(), RECIPIENT, PAID.sats)
        const txids = await allow(client.signAndSend(...psbts))
        expect(txids).toHaveLength(2)
        // A block that has the second has the first, which it spends.
        expect(await mine(txids[1] ?? '')).toContainEqual(PAID)
      })

      it.runIf(isChromium)('passes a rejection on', async () => {
        const signing = client.signMessage('Grüße')
        await rejectCall(world.wallet, signing)
        expect(await signing.thrown()).toMatchObject({
          code: 4001,
          message: 'User rejected the request.',
        })
      })

      it('is told of another account, of none, and of the end', async () => {
        await world.wallet.chooseAccount(SECOND_ACCOUNT)
        await expect.poll(lastChange).toEqual([])
        expect(await client.readAccounts().result()).toEqual([])
        await allow(client.connect(['payment']))
        expect(await lastChange()).toEqual([SECOND.address])
        await world.wallet.chooseAccount(FIRST_ACCOUNT)
        await expect.poll(lastChange).toEqual([FIRST.address])
        await client.disconnect().result()
        await expect.poll(lastChange).toEqual([])
        expect(await client.readAccounts().result()).toEqual([])
      })

      const lastChange = async () => (await client.readChanges().result()).at(-1)
      const allow = <T>(call: ClientCall<T>) => allowCall(world.wallet, call)
    })

    describe.runIf(isChromium)('bigmi’s connector of MetaMask', () => {
      let client: ClientCalls<typeof bigmiMetamask>

      it('connects through the names that MetaMask gives to the features', async () => {
        await world.wallet.chooseAccount(SECOND_ACCOUNT)
        client = reachClient(await open('bigmi-metamask'))
        const accounts = await allowCall(world.wallet, client.connect())
        expect(accounts).toMatchObject([{ ...SECOND, purpose: 'payment' }])
      })

      it('has a PSBT signed, and hears of the end', async () => {
        await world.devnet.faucet(SECOND.address, 200_000n)
        const [coin] = await fetchCoins(world.devnet.esploraUrl, SECOND)
        if (!coin) throw new Error('There is no coin')
        const psbt = draftPayment([coin], RECIPIENT, PAID.sats)
        const signing = client.signPsbt(psbt, [{ address: SECOND.address, signingIndexes: [0] }])
        const signed = await allowCall(world.wallet, signing)
        expect(await mine(await broadcast(world.devnet, finishPsbt(signed)))).toContainEqual(PAID)
        await world.wallet.chooseAccount(FIRST_ACCOUNT)
        await expect
          .poll(async () => (await client.readState().result()).status)
          .toBe('disconnected')
      })
    })

    /** Each has a site of its own, so that what one was allowed is unknown to the next. */
    const open = (name: string) =>
      world.wallet.openDapp(`${world.site.replace('127.0.0.1', `${name}.localhost`)}${name}.html`)

    /** A payment by the first account's largest coin, in hex, not signed. */
    const draftHex = async () => draftPayment([await largestCoin()], RECIPIENT, PAID.sats)

    const largestCoin = async () => {
      const [coin] = await fetchCoins(world.devnet.esploraUrl, FIRST)
      if (!coin) throw new Error('There is no coin')
      return coin
    }

    const mine = async (txid: string) => (await mineTransaction(world.devnet, txid)).outputs
  },
)

function toBase64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64')
}

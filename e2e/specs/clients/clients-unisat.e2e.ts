import { Transaction } from '@scure/btc-signer'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  allowCall,
  type ClientCall,
  type ClientCalls,
  reachClient,
  rejectCall,
} from '../../driver/client.ts'
import type { Dapp } from '../../driver/driver.ts'
import { FIRST, FIRST_ACCOUNT, SECOND, SECOND_ACCOUNT } from '../../fixtures/account-owners.ts'
import { broadcast, finishPsbt } from '../../fixtures/broadcast.ts'
import {
  draftPaid,
  listMinedOutputs,
  openClient,
  PAID,
  REJECTION,
  startClientWorld,
} from '../../fixtures/client-world.ts'
import type { bigmiWallets } from '../../fixtures/clients/bigmi-wallets.ts'
import type { ckbUniSat } from '../../fixtures/clients/ckb-uni-sat.ts'
import type { ckbXverse } from '../../fixtures/clients/ckb-xverse.ts'
import type { midlWallets } from '../../fixtures/clients/midl-wallets.ts'
import type { ordit } from '../../fixtures/clients/ordit.ts'
import type { rangoUnisat } from '../../fixtures/clients/rango-unisat.ts'
import type { rangoXverse } from '../../fixtures/clients/rango-xverse.ts'
import type { satsConnectWallets } from '../../fixtures/clients/sats-connect-wallets.ts'
import { provesMessage } from '../../fixtures/message-proof.ts'
import type { Owner } from '../../fixtures/psbt/coins.ts'
import { resultOf, type World } from '../../fixtures/world.ts'

const CLIENTS = [
  ...['ckb-uni-sat', 'ckb-xverse', 'ordit', 'rango-unisat', 'rango-xverse'],
  ...['bigmi-wallets', 'midl-wallets', 'sats-connect-wallets'],
]

describe('libraries that look for UniSat, Xverse or Leather', () => {
  let world: World

  beforeAll(async () => {
    world = await startClientWorld(CLIENTS, [
      { owner: FIRST, count: 6 },
      { owner: SECOND, count: 3 },
    ])
  })
  afterAll(() => world?.stop())
  afterEach(async () => {
    expect(await world.wallet.countApprovalWindows()).toBe(0)
  })

  describe('the UniSat signer of ckb-ccc', () => {
    let client: ClientCalls<typeof ckbUniSat>

    it('connects, with the address and the public key of the account', async () => {
      client = reachClient(await open('ckb-uni-sat'))
      expect(await client.isConnected().result()).toBe(false)
      expect(await world.wallet.countApprovalWindows()).toBe(0)
      await allow(client.connect())
      expect(await client.isConnected().result()).toBe(true)
      expect(await client.getAddress().result()).toBe(FIRST.address)
      expect(await client.getIdentity().result()).toBe(FIRST.publicKey)
    })

    it('has a message signed by ECDSA, which it and bip322-js find valid', async () => {
      const signed = await allow(client.signMessage('Grüße'))
      expect(signed).toMatchObject({ identity: FIRST.publicKey, isValid: true })
      expect(provesMessage(FIRST.address, 'Grüße', signed.signature)).toBe(true)
      const signing = client.signMessage('Grüße')
      await rejectCall(world.wallet, signing)
      expect(await signing.thrown()).toMatchObject(REJECTION)
    })

    it('is told of the account that takes the place of another', async () => {
      await client.watch().result()
      await world.wallet.chooseAccount(SECOND_ACCOUNT)
      await expect.poll(() => client.countReplacements().result()).toBe(1)
      expect(await client.isConnected().result()).toBe(false)
      await allow(client.connect())
      expect(await client.getAddress().result()).toBe(SECOND.address)
      const signed = await allow(client.signMessage('Grüße'))
      expect(provesMessage(SECOND.address, 'Grüße', signed.signature)).toBe(true)
      await world.wallet.chooseAccount(FIRST_ACCOUNT)
    })
  })

  describe('the Xverse signer of ckb-ccc', () => {
    let page: Dapp
    let client: ClientCalls<typeof ckbXverse>

    it('connects, and has a message signed', async () => {
      page = await open('ckb-xverse')
      client = reachClient(page)
      expect(await client.isConnected().result()).toBe(false)
      await allow(client.connect())
      expect(await client.getAddress().result()).toBe(FIRST.address)
      // Xverse's keys of Taproot addresses are x-only.
      expect(await client.getPublicKey().result()).toBe(`0x${FIRST.publicKey.slice(2)}`)
      const signature = await allow(client.signMessage('Grüße'))
      expect(provesMessage(FIRST.address, 'Grüße', signature)).toBe(true)
    })

    it('throws what says that the person rejected', async () => {
      const signing = client.signMessage('Grüße')
      await rejectCall(world.wallet, signing)
      expect(await signing.thrown()).toMatchObject({ code: -32000 })
    })

    it('hears of another account, and forgets its own when it disconnects', async () => {
      await client.watch().result()
      await world.wallet.chooseAccount(SECOND_ACCOUNT)
      expect(await client.isConnected().result()).toBe(false)
      await allow(client.connect())
      await expect.poll(() => client.countReplacements().result()).toBe(1)
      await client.disconnect().result()
      expect(await client.getAddress().result()).toBe(SECOND.address)
      expect(await client.getPublicKey().result()).toBe(`0x${SECOND.publicKey}`)
      await world.wallet.chooseAccount(FIRST_ACCOUNT)
    })
  })

  describe('ordit', () => {
    let client: ClientCalls<typeof ordit>

    it('connects with one question, having found the network as it wants it', async () => {
      client = reachClient(await open('ordit'))
      expect(await client.isInstalled().result()).toBe(true)
      expect(await allow(client.getAddresses('testnet'))).toMatchObject([
        { pub: FIRST.publicKey, address: FIRST.address },
      ])
    })

    it.each([undefined, 'bip322-simple'] as const)('has a message signed (%s)', async type => {
      const signature = await allow(client.signMessage('Grüße', type))
      expect(provesMessage(FIRST.address, 'Grüße', signature)).toBe(true)
    })

    it('names no inputs, gets a final PSBT, and takes the transaction from it', async () => {
      const raw = (await allow(client.signPsbt(await draft()))) ?? ''
      expect(await mine(await broadcast(world.devnet, raw))).toContainEqual(PAID)
    })

    it('passes a rejection on', async () => {
      const signing = client.signPsbt(await draft())
      await rejectCall(world.wallet, signing)
      expect(await signing.thrown()).toMatchObject(REJECTION)
      const other = client.getAddresses('mainnet')
      await rejectCall(world.wallet, other)
      expect(await other.thrown()).toMatchObject(REJECTION)
    })
  })

  describe('rango for UniSat', () => {
    /** It has all of Bitcoin as mainnet. */
    const caip = ({ address }: Owner) => `bip122:000000000019d6689c085ae165831e93:${address}`
    let page: Dapp
    let client: ClientCalls<typeof rangoUnisat>

    it('connects, and follows the account', async () => {
      page = await open('rango-unisat')
      client = reachClient(page)
      expect(await client.init().result()).toBe(true)
      expect(await allow(client.connect())).toEqual([caip(FIRST)])
      await world.wallet.chooseAccount(SECOND_ACCOUNT)
      await expect.poll(() => client.readState().result()).toMatchObject({ isConnected: false })
      expect(await allow(client.connect())).toEqual([caip(SECOND)])
      await world.wallet.chooseAccount(FIRST_ACCOUNT)
      await expect
        .poll(() => client.readState().result())
        .toEqual({ accounts: [caip(FIRST)], isConnected: true })
    })

    it('is told that this is not mainnet before it has anything signed', async () => {
      const signing = client.signAndSend(toBase64(await draft()), FIRST.address)
      expect((await signing.thrown()).message).toContain('Switch your network to Bitcoin')
    })

    it('disconnects by itself, of which the wallet does not hear', async () => {
      await client.disconnect().result()
      expect(await client.readState().result()).toEqual({ accounts: null, isConnected: false })
      expect(await resultOf(page.request('getAccounts'))).toEqual([FIRST.address])
    })
  })

  describe('rango for Xverse', () => {
    let client: ClientCalls<typeof rangoXverse>

    it('connects, wants mainnet, and passes on that the person does not', async () => {
      client = reachClient(await open('rango-xverse'))
      await client.init().result()
      await expect.poll(() => client.isInstalled().result()).toBe(true)
      const connecting = client.connect()
      await (await world.wallet.nextApproval()).approve()
      await (await world.wallet.nextApproval()).reject()
      await world.wallet.waitForNoApproval()
      expect((await connecting.thrown()).message).toBe(REJECTION.message)
      expect(await client.canEagerConnect().result()).toBe(true)
      await client.disconnect().result()
      expect(await client.readState().result()).toMatchObject({ isConnected: false })
    })
  })

  describe.each(['unisat', 'xverse', 'leather'])('bigmi for %s', name => {
    let client: ClientCalls<typeof bigmiWallets>

    it('connects, has a PSBT signed, and finalizes it', async () => {
      client = reachClient(await open('bigmi-wallets', '', `bigmi-${name}`))
      expect(await allow(client.connect(name))).toEqual([FIRST.address])
      const signed = await allow(client.signPsbt(await draft(), FIRST.address))
      expect(await mine(await broadcast(world.devnet, finishPsbt(signed)))).toContainEqual(PAID)
    })

    it('fails where the person rejects, and disconnects', async () => {
      const signing = client.signPsbt(await draft(), FIRST.address)
      await rejectCall(world.wallet, signing)
      // It knows no code of UniSat's and none of Leather's; the wallet's answer is the cause.
      expect((await signing.thrown()).message).toMatch(/unknown error|rejected/i)
      await client.disconnect().result()
      expect(await client.readState().result()).toMatchObject({ status: 'disconnected' })
    })
  })

  describe.each(['unisat', 'xverse', 'leather'])('midl for %s', wallet => {
    let client: ClientCalls<typeof midlWallets>

    it('connects, and has a message and a PSBT signed', async () => {
      client = reachClient(await open('midl-wallets', `?wallet=${wallet}`, `midl-${wallet}`))
      expect(await allow(client.connect('ordinals'))).toMatchObject([
        { address: FIRST.address, addressType: 'p2tr', purpose: 'ordinals' },
      ])
      const { signature } = await allow(client.signMessage(FIRST.address, 'Grüße', 'BIP322'))
      expect(provesMessage(FIRST.address, 'Grüße', signature)).toBe(true)
      const signed = await allow(client.signPsbt(toBase64(await draft()), FIRST.address))
      const raw = finishPsbt(signed.psbt)
      expect(await mine(await broadcast(world.devnet, raw))).toContainEqual(PAID)
    })

    it('does the same for a Native SegWit account', async () => {
      await client.disconnect().result()
      await world.wallet.chooseAccount(SECOND_ACCOUNT)
      expect(await allow(client.connect('payment'))).toMatchObject([
        { address: SECOND.address, addressType: 'p2wpkh', purpose: 'payment' },
      ])
      const { signature } = await allow(client.signMessage(SECOND.address, 'Grüße', 'BIP322'))
      expect(provesMessage(SECOND.address, 'Grüße', signature)).toBe(true)
      const signed = await allow(client.signPsbt(toBase64(await draft(SECOND)), SECOND.address))
      const raw = finishPsbt(signed.psbt)
      expect(await mine(await broadcast(world.devnet, raw))).toContainEqual(PAID)
      const signing = client.signMessage(SECOND.address, 'Grüße', 'BIP322')
      await rejectCall(world.wallet, signing)
      await signing.thrown()
      await client.disconnect().result()
      expect(await client.readAccounts().result()).toEqual([])
      await world.wallet.chooseAccount(FIRST_ACCOUNT)
    })
  })

  describe.each(['unisat', 'XverseProviders.BitcoinProvider'])('sats-connect for %s', id => {
    let client: ClientCalls<typeof satsConnectWallets>
    const resultFrom = async (call: ClientCall<{ status: string; result?: unknown }>) =>
      (await allow(call)).result as { [name: string]: string }

    it('has it in its own list, and gets its addresses', async () => {
      const site = `sats-${id.split('.')[0]?.toLowerCase()}`
      client = reachClient(await open('sats-connect-wallets', '', site))
      expect(await client.listInstalled().result()).toContain(id)
      await client.choose(id).result()
      const call = client.request('getAccounts', { purposes: ['ordinals'] })
      expect(await allow(call)).toMatchObject({
        status: 'success',
        result: [
          { address: FIRST.address, publicKey: FIRST.publicKey.slice(2), purpose: 'ordinals' },
        ],
      })
    })

    it('has messages and PSBTs signed, and pays', async () => {
      const message = { address: FIRST.address, message: 'Grüße' }
      const { signature = '' } = await resultFrom(client.request('signMessage', message))
      expect(provesMessage(FIRST.address, 'Grüße', signature)).toBe(true)
      const order = { psbt: toBase64(await draft()), signInputs: { [FIRST.address]: [0] } }
      const call = client.request('signPsbt', { ...order, broadcast: true })
      const { psbt = '', txid = '' } = await resultFrom(call)
      expect(Transaction.fromPSBT(Buffer.from(psbt, 'base64')).id).toBe(txid)
      expect(await mine(txid)).toContainEqual(PAID)
      const recipients = [{ address: PAID.address, amount: 10_000 }]
      const sent = await resultFrom(client.request('sendTransfer', { recipients }))
      expect(await mine(sent.txid ?? '')).toContainEqual(PAID)
    })

    it('answers a rejection in its own code, and hears of another account', async () => {
      const signing = client.request('signMessage', { address: FIRST.address, message: 'x' })
      await rejectCall(world.wallet, signing)
      expect(await signing.result()).toMatchObject({ status: 'error', error: { code: -32000 } })
      await client.listen().result()
      await world.wallet.chooseAccount(SECOND_ACCOUNT)
      await allow(client.request('getAccounts', { purposes: ['payment'] }))
      await expect
        .poll(() => client.readEvents().result())
        .toContainEqual(expect.objectContaining({ type: 'accountChange' }))
      await world.wallet.chooseAccount(FIRST_ACCOUNT)
    })
  })

  const allow = <T>(call: ClientCall<T>) => allowCall(world.wallet, call)

  const open = (name: string, query = '', host = name) => openClient(world, name, { query, host })
  const draft = (owner?: Owner) => draftPaid(world, owner)
  const mine = (txid: string) => listMinedOutputs(world, txid)
})

function toBase64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64')
}

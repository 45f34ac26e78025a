import { bytesToHex } from '@noble/hashes/utils.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { HangPoint } from '../../driver/hang-point.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { type Coin, scriptsOf } from '../../fixtures/psbt/coins.ts'
import { draftChain, draftPayment } from '../../fixtures/psbt/deals.ts'
import { draft, parseDraft, spend } from '../../fixtures/psbt/draft.ts'
import { approve, seatTrader, type Trader } from '../../fixtures/psbt/trader.ts'
import { forgetRequests, resultOf, startWorld, type World } from '../../fixtures/world.ts'

const TAPROOT = 'Account 1 Taproot'
const SEGWIT = 'Account 2 Native'
/** An address of nobody in particular: BIP-173's example key. */
const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const NONE = 2

describe.each(browsersFor('psbt-batch'))('a page in %s that has PSBTs signed', browser => {
  let world: World
  let trader: Trader

  beforeAll(async () => {
    world = await startWorld(browser, { hooks: true })
  })
  afterAll(() => world?.stop())
  afterEach(async () => {
    expect(await world.wallet.countApprovalWindows()).toBe(0)
  })

  it('gets two of one approval, hands them over in the wrong order, and the node mines both', async () => {
    await sit(TAPROOT)
    const coin = await fund(300_000n)
    const chain = draftChain(coin, RECIPIENT, 20_000n)
    const { first, second } = await signChain(chain)
    const sent = await resultOf(
      trader.dapp.request('sendPsbt', backwards(first, second), trader.owner.address),
    )
    expect(sent).toEqual([{ second: idOf(second) }, { first: idOf(first) }])
    await world.devnet.mine()
    expect(await confirmationsOf(first, second)).toEqual([1, 1])
  })

  it.each([
    ['when it is noted what will be sent', { call: 'storage.session.set', when: 'after' }],
    ['before the first is handed over', { call: 'fetch', when: 'before' }],
    ['when the first has been taken', { call: 'fetch', when: 'after' }],
    ['before the second is handed over', { call: 'fetch', when: 'before', second: true }],
    ['when the second has been taken', { call: 'fetch', when: 'after', second: true }],
  ] as const)('has each of a batch sent once though the background is killed %s', async (_, at) => {
    await sit(TAPROOT)
    const coin = await fund(300_000n)
    const { first, second } = await signChain(draftChain(coin, RECIPIENT, 20_000n))
    const containing = {
      'storage.session.set': '"signed":{',
      fetch: rawOf('second' in at ? second : first),
    }[at.call]
    await forgetRequests(world.wallet)
    const point: HangPoint = { call: at.call, when: at.when, containing }
    const hang = await world.wallet.hangBackground(point)
    const sending = trader.dapp.request('sendPsbt', backwards(first, second), trader.owner.address)
    await hang.reached()
    await world.wallet.killBackground()

    expect(await resultOf(sending)).toEqual([{ second: idOf(second) }, { first: idOf(first) }])
    expect(await world.wallet.countApprovalWindows()).toBe(0)
    expect(await waitingTxids()).toEqual([idOf(first), idOf(second)].sort())
    await world.devnet.mine()
    expect(await confirmationsOf(first, second)).toEqual([1, 1])
  })

  it.runIf(browser === 'chromium').each([TAPROOT, SEGWIT])(
    'pushes what %s has just signed without another question, as a swap page does',
    async account => {
      await sit(account)
      const coin = await fund(100_000n)
      const { address } = trader.owner
      const options = { autoFinalized: true, toSignInputs: [{ index: 0, address }] }
      const payment = draftPayment([coin], RECIPIENT, 12_345n)
      const { psbt, screen } = await trader.sign([payment, options])
      expect(screen).toContain('You send 0.00012345 BTC to bcrt1q…t080')
      // The whole address, in fours.
      expect(screen.replaceAll(/\s/g, '')).toContain(`12,345satsto${RECIPIENT}`)
      expect(parseDraft(psbt).isFinal).toBe(true)
      const txid = await resultOf<string>(trader.dapp.request('pushPsbt', psbt))
      await world.devnet.mine()
      expect(txid).toBe(idOf(psbt))
      expect(await confirmationsOf(psbt)).toEqual([1])
    },
  )

  it.runIf(browser === 'chromium')(
    'may write it in base64 and gets hex, not finalized where it asks for that',
    async () => {
      await sit(SEGWIT)
      const coin = await fund(100_000n)
      const { address } = trader.owner
      const base64 = Buffer.from(draftPayment([coin], RECIPIENT, 5_000n), 'hex').toString('base64')
      const toSignInputs = [{ address, index: 0, disableTweakSigner: undefined }]
      const { psbt } = await trader.sign([base64, { autoFinalized: false, toSignInputs }])
      const signed = parseDraft(psbt)
      expect(signed.isFinal).toBe(false)
      // An independent library accepts the signature and completes the transaction.
      signed.finalize()
      const pushing = trader.dapp.request('pushTx', bytesToHex(signed.extract()))
      expect(await resultOf(pushing)).toBe(signed.id)
      await world.devnet.mine()
      expect(await confirmationsOf(psbt)).toEqual([1])
    },
  )

  it.runIf(browser === 'chromium')(
    'is refused signatures that give everything away, lies about amounts, and other people’s inputs',
    async () => {
      await sit(SEGWIT)
      const coin = await fund(100_000n)
      const { address } = trader.owner
      const sign = (psbt: string, toSignInputs: object[]) =>
        trader.dapp.request('signPsbt', psbt, { toSignInputs })
      const outputs = [{ address: RECIPIENT, sats: 50_000n }]

      const blank = draft([spend(coin, { sighashType: NONE })], outputs)
      expect(await sign(blank, [{ index: 0, address, sighashTypes: [NONE] }])).toMatchObject({
        error: { code: -32000, data: { reason: 'SIGHASH_REFUSED' } },
      })

      const lie = { script: scriptsOf(trader.owner).script, amount: coin.sats - 40_000n }
      const lying = draft([{ ...spend(coin, { proof: 'output' }), witnessUtxo: lie }], outputs)
      expect(await sign(lying, [{ index: 0, address }])).toMatchObject({
        error: { code: -32000, data: { reason: 'UNVERIFIED_INPUT' } },
      })

      const honest = draft([spend(coin)], outputs)
      expect(await sign(honest, [{ index: 0, address: RECIPIENT }])).toMatchObject({
        error: { code: 4100 },
      })
      expect(await sign(honest, [{ index: 1, address }])).toMatchObject({
        error: { code: -32602 },
      })
    },
  )

  /** Has the account chosen and connected. */
  const sit = async (account: string) => {
    const place = { site: world.site, esploraUrl: world.devnet.esploraUrl }
    trader = await seatTrader(world.wallet, account, place)
  }

  /** A new coin of the account. */
  const fund = async (sats: bigint): Promise<Coin> => {
    const txid = await world.devnet.faucet(trader.owner.address, sats)
    const coin = (await trader.coins()).find(coin => coin.txid === txid)
    if (!coin) throw new Error('The coin has not arrived')
    return coin
  }

  const signChain = async (chain: readonly [string, string]) => {
    const signing = trader.dapp.request('signPsbts', chain, { autoFinalized: true })
    await approve(world.wallet)
    const [first = '', second = ''] = await resultOf<string[]>(signing)
    return { first, second }
  }

  const confirmationsOf = (...psbts: string[]) =>
    Promise.all(
      psbts.map(async psbt => {
        const params = [idOf(psbt), true]
        return (await world.devnet.rpc<{ confirmations: number }>('getrawtransaction', params))
          .confirmations
      }),
    )

  /** What the account has in the mempool. */
  const waitingTxids = async () => {
    const path = `address/${trader.owner.address}/txs/mempool`
    const listed = (await (await fetch(`${world.devnet.esploraUrl}/${path}`)).json()) as {
      txid: string
    }[]
    return listed.map(({ txid }) => txid).sort()
  }
})

/** Two transactions of which the second spends the first, the second named first. */
function backwards(first: string, second: string) {
  return [
    { itemId: 'second', signedTx: second, type: 20, dependItemId: ['first'] },
    { itemId: 'first', signedTx: first, type: 20 },
  ]
}

function idOf(psbtHex: string): string {
  return parseDraft(psbtHex).id
}

/** The finished transaction in hex. */
function rawOf(psbtHex: string): string {
  return bytesToHex(parseDraft(psbtHex).extract())
}

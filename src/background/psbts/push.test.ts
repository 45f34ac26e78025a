import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import {
  type BuiltInput,
  type BuiltOutput,
  FOREIGN_KEY,
} from '../../bitcoin/testing/psbt-building.ts'
import { startAssetSite, toThem } from '../testing/asset-site.ts'
import { SITE } from '../testing/funded-wallet.ts'
import { publishPrevious, startSigner } from '../testing/psbt-site.ts'
import { buildFresh, signElsewhere, stranger } from '../testing/signed-transactions.ts'
import { gatherFacts, type PushContext, parseRawTransaction, preparePush } from './push.ts'

const NOTE = { type: 'op-return' as const, amount: 0n }

const keysOf = (inputs: readonly BuiltInput[]) => [
  ...new Set(inputs.map(({ key = FOREIGN_KEY }) => key)),
]

/** A wallet with an account of its own, and what it says of a transaction that a site wants broadcast. */
async function startPusher() {
  const site = await startSigner('p2wpkh')
  const context: PushContext = {
    ...{ wallet: site.worker.wallet, account: site.account, network: 'regtest', origin: SITE },
  }
  const mine = (amount: bigint) => ({ type: 'p2wpkh' as const, key: site.key, amount })
  const prepare = async (
    inputs: readonly BuiltInput[],
    outputs: readonly BuiltOutput[],
    { unpublished = [] as number[] } = {},
  ) => {
    const built = buildFresh({ inputs, outputs })
    const previous = [...built.previous].filter((_, at) => !unpublished.includes(at))
    publishPrevious(site, { ...built, previous: new Map(previous) })
    const signed = { rawTx: signElsewhere(built, ...keysOf(inputs)).raw, previous: new Map() }
    const push = await preparePush(context, signed, await gatherFacts(context, [signed]), null)
    const outpoints = push.review.inputs.map(({ outpoint }) => outpoint)
    return { ...push, outpoints }
  }
  return { ...site, context, mine, prepare }
}

describe('a transaction of others', () => {
  it('goes without a question, and is told with its fee, its coins and whom it pays', async () => {
    const { prepare, context } = await startPusher()
    const { review, clean, own, record } = await prepare(
      [stranger(6_000n), stranger(4_000n)],
      [NOTE, { type: 'p2tr', amount: 5_000n }, stranger(4_000n)],
    )
    const { vsize, inputs, outputs } = review
    expect([clean, own]).toEqual([true, []])
    expect(review).toMatchObject({
      fee: '1000',
      feeRate: expect.closeTo(1000 / vsize, 2),
      netCost: '0',
      assets: [],
    })
    expect(inputs.map(({ sats, own }) => [sats, own])).toEqual([
      ['6000', false],
      ['4000', false],
    ])
    expect(outputs.map(({ sats, own }) => [sats, own])).toEqual([
      ['0', false],
      ['5000', false],
      ['4000', false],
    ])
    expect(outputs[0]?.address).toBeNull()
    const { id } = context.account
    expect(record).toMatchObject({
      ...{ kind: 'pushed', network: 'regtest', accountId: id, origin: SITE, status: 'sending' },
      // The one that it pays is the first with an address.
      ...{ fee: '1000', net: null, spends: [], creates: [], counterparty: outputs[1]?.address },
      ...{ height: null, replacedBy: null, about: null, payment: null, replaces: null },
    })
    expect(record).not.toHaveProperty('carries')
  })

  it('goes without a question where its fee is low, and not where it is high', async () => {
    const { prepare } = await startPusher()
    const low = await prepare([stranger(10_000n)], [stranger(9_950n)])
    expect(low.review.warnings).toMatchObject([{ kind: 'low-fee' }])
    expect(low.clean).toBe(true)
    const high = await prepare([stranger(100_000n)], [stranger(80_000n)])
    expect(high.review.warnings).toMatchObject([{ kind: 'high-fee', percent: 25 }])
    expect(high.clean).toBe(false)
  })

  it('is asked about where nobody knows one of its coins, and its fee is not told', async () => {
    const { prepare } = await startPusher()
    const { review, clean, record } = await prepare(
      [stranger(1_000_000n), stranger(4_000n)],
      [stranger(9_000n)],
      { unpublished: [1] },
    )
    expect(clean).toBe(false)
    expect(review).toMatchObject({ fee: null, feeRate: null, warnings: [] })
    expect(review.inputs.map(({ sats, address }) => [sats, address !== null])).toEqual([
      ['1000000', true],
      [null, false],
    ])
    expect(record).toMatchObject({ fee: null, net: null })
  })
})

describe('a transaction that spends coins of this wallet', () => {
  it('is asked about, with what it costs the wallet and what the account pays', async () => {
    const { prepare, mine, account } = await startPusher()
    const { review, clean, own, record, outpoints } = await prepare(
      [stranger(3_000n), mine(50_000n)],
      [mine(10_000n), NOTE, stranger(42_000n)],
    )
    expect(clean).toBe(false)
    expect(review).toMatchObject({ fee: '1000', netCost: '40000' })
    expect(review.inputs.map(({ own }) => own)).toEqual([false, true])
    expect(review.outputs.map(({ own }) => own)).toEqual([true, false, false])
    expect(own).toMatchObject([{ outpoint: outpoints[1], accountId: account.id, sats: '50000' }])
    expect(record).toMatchObject({
      ...{ net: '-40000', spends: [outpoints[1]], counterparty: review.outputs[2]?.address },
    })
  })

  it('pays nobody where all comes back, and its net is not told while a coin is unknown', async () => {
    const { prepare, mine } = await startPusher()
    const back = await prepare([mine(50_000n)], [mine(49_000n)])
    expect(back.record).toMatchObject({ counterparty: null, net: '-1000' })
    const unknown = await prepare([mine(50_000n), stranger(1_000n)], [stranger(49_000n)], {
      unpublished: [1],
    })
    expect(unknown.record).toMatchObject({ net: null, fee: null })
    expect(unknown.record.spends).toEqual([unknown.outpoints[0]])
  })

  it('that pays the wallet without spending of it has a gain, and needs no question', async () => {
    const { prepare, mine } = await startPusher()
    const { review, clean } = await prepare([stranger(10_000n)], [mine(9_000n)])
    expect([review.netCost, clean]).toEqual(['-9000', true])
  })

  it('is refused for an account that is there no more, and while the wallet is locked, which then knows no coin as its own', async () => {
    const { prepare, mine, worker, context } = await startPusher()
    const other = { ...context, account: { ...context.account, id: 'another' } }
    await expect(gatherFacts(other, [])).rejects.toMatchObject({
      ...{ code: 4100, message: 'The account in use changed while the request was waiting.' },
    })
    await worker.ui('lock', null)
    await expect(prepare([mine(50_000n)], [stranger(49_000n)])).rejects.toMatchObject({
      ...{ code: 4100, message: 'The wallet is locked.' },
    })
  })
})

describe('previous transactions', () => {
  it('that came along are not asked for, nor those of the other items', async () => {
    const { context, world } = await startPusher()
    const parent = buildFresh({ inputs: [stranger(10_000n)], outputs: [stranger(9_000n)] })
    const signed = signElsewhere(parent)
    const outpoint = { txid: signed.txid, vout: 0 }
    const child = signElsewhere(
      buildFresh({ inputs: [{ ...stranger(9_000n), outpoint }], outputs: [stranger(8_000n)] }),
    )
    world.chain.faults.unreachable = true
    const items = [
      { rawTx: child.raw, previous: new Map() },
      { rawTx: signed.raw, previous: parent.previous },
    ]
    const facts = await gatherFacts(context, items)
    for (const [at, fee] of ['1000', '1000'].entries()) {
      const [item] = items.slice(at)
      const push = item && (await preparePush(context, item, facts, null))
      expect(push?.review.fee).toBe(fee)
    }
  })
})

describe('what sits on the coins that are pushed', () => {
  async function startInscribed(burnAssets = false) {
    const site = await startAssetSite('p2wpkh')
    const { expert } = (await site.worker.ui('getState', null)).settings
    await site.worker.ui('changeSettings', { expert: { ...expert, burnAssets } })
    const context: PushContext = {
      ...{ wallet: site.worker.wallet, account: site.account, network: 'regtest', origin: SITE },
    }
    const prepare = async (inputs: readonly BuiltInput[], outputs: readonly BuiltOutput[]) => {
      const { raw } = signElsewhere(buildFresh({ inputs, outputs }), ...keysOf(inputs))
      const signed = { rawTx: raw, previous: new Map<string, Uint8Array>() }
      return preparePush(context, signed, await gatherFacts(context, [signed]), null)
    }
    return { ...site, prepare }
  }
  const PROTECTED = { data: { reason: 'PROTECTED_ASSET' } }

  it('is kept in activity with the transaction', async () => {
    const { prepare, mine, world } = await startInscribed()
    const coin = mine(10_000n)
    const id = world.assets.inscribe(coin.at)
    const { record, own } = await prepare([coin], [toThem(9_000n)])
    expect(JSON.stringify(record.carries)).toContain(id)
    expect(own).toMatchObject([{ outpoint: coin.at, assets: [expect.stringContaining(id)] }])
  })

  it('is not lost in the fee, but for experts who said so', async () => {
    for (const isExpert of [false, true]) {
      const { prepare, mine, world } = await startInscribed(isExpert)
      const coin = mine(10_000n)
      world.assets.inscribe(coin.at, { offset: 9_500n })
      const push = prepare([coin], [toThem(9_000n)])
      if (isExpert) expect((await push).review.assets).toMatchObject([{ to: 'fee' }])
      else await expect(push).rejects.toMatchObject(PROTECTED)
    }
  })

  it('is the loss of others where it is theirs', async () => {
    const { prepare, mine, theirs, toMe, world } = await startInscribed()
    const coin = theirs(10_000n)
    world.assets.inscribe(coin.at, { offset: 9_500n })
    const { review } = await prepare([mine(20_000n), coin], [toMe(29_000n)])
    expect(review.assets).toMatchObject([{ own: false, to: 'fee' }])
  })
})

describe('a raw transaction', () => {
  it('is taken as it is, and named where it is none', () => {
    const { raw } = signElsewhere(
      buildFresh({ inputs: [stranger(10_000n)], outputs: [stranger(9_000n)] }),
    )
    expect(parseRawTransaction('rawTx', raw)).toEqual({ rawTx: raw, previous: new Map() })
    let thrown: unknown
    try {
      parseRawTransaction('txs[1].signedTx', raw.slice(0, -2))
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({
      code: -32602,
      message: expect.stringContaining('txs[1].signedTx: expected a signed transaction in hex'),
      cause: { name: 'InvalidTransactionError' },
    })
  })

  it('that is no hex at all is a fault of ours, as parameters are read before', () => {
    let fault: unknown
    try {
      fromHex('zz')
    } catch (error) {
      fault = error
    }
    expect(() => parseRawTransaction('rawTx', 'zz')).toThrow(fault as Error)
  })
})

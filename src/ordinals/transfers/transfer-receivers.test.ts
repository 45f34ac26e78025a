import { Transaction as ScureTransaction } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { InsufficientFundsError } from '../../bitcoin/payments/coin-selection.ts'
import {
  buildCancellation,
  buildReplacement,
  leastCancellationFeeRate,
} from '../../bitcoin/payments/fee-bump.ts'
import { DustError, type Payment, signPayment } from '../../bitcoin/payments/payment.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { fund, RECIPIENT_SCRIPTS } from '../../bitcoin/testing/funding.ts'
import type { Asset } from '../asset.ts'
import { keyOfAsset } from '../asset-key.ts'
import { nftOf, tokenOf } from '../testing/atomical-assets.ts'
import { walkSat } from '../testing/sat-walk.ts'
import { idOf, inscription, RUNES } from '../testing/test-assets.ts'
import type { AssetCoin } from './coin-cut.ts'
import { buildTransfer, MixedTokensError, SharedCoinError, StrayRunesError } from './transfer.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const KEY = new Uint8Array(32).fill(7)
const OWN = { publicKey: publicKeyOf(KEY), addressType: 'p2tr' } as const
const [ALICE = new Uint8Array(), BOB = new Uint8Array(), , , CAROL = new Uint8Array()] =
  RECIPIENT_SCRIPTS
const terms = { own: OWN, feeRate: 2, seed: 'seed' }

function coinsWith(...contents: [bigint, ...Asset[]][]): AssetCoin[] {
  const amounts = contents.map(([sats]) => sats)
  const { utxos } = fund(KEY, 'p2tr', amounts)
  return utxos.map((utxo, i) => ({ ...utxo, assets: contents[i]?.slice(1) as Asset[] }))
}

const cleanCoins = (...amounts: bigint[]) => fund(KEY, 'p2tr', amounts, 1000).utxos

function send(coins: AssetCoin[], asked: [key: string, to: Uint8Array][]): Payment {
  return buildTransfer({ ...terms, coins, asked: new Map(asked), utxos: cleanCoins(90_000n) })
}

const ALICES = 'alice'
const NAMES = new Map([
  [toHex(ALICE), ALICES],
  [toHex(BOB), 'bob'],
  [toHex(CAROL), 'carol'],
])
const outputsOf = ({ outputs }: Payment) =>
  outputs.map(({ scriptPubKey, amount }) => {
    return `${NAMES.get(toHex(scriptPubKey)) ?? 'own'} ${amount}`
  })

describe('a transfer to several receivers', () => {
  it('gives each its own, on the sats that it was on, in the order asked', () => {
    const coins = coinsWith(
      [546n, inscription(1, 0n)],
      [9_000n, inscription(2, 8_999n)],
      [700n, inscription(3, 77n)],
    )
    const payment = send(coins, [
      [idOf(1), BOB],
      [idOf(2), ALICE],
      [idOf(3), BOB],
    ])
    expect(outputsOf(payment).slice(0, 3)).toEqual(['bob 546', 'alice 9000', 'bob 700'])
    expect(walkSat(payment, 1, 8_999n)).toEqual({ output: 1, offset: 8_999n })
  })

  it('keeps each with its receiver where coins with Atomicals have to come first', () => {
    const coins = coinsWith(
      [546n, inscription(1, 0n)],
      [600n, nftOf(1)],
      [700n, nftOf(2), tokenOf(3, 700n)],
    )
    const payment = send(coins, [
      [idOf(1), ALICE],
      [keyOfAsset(nftOf(1)), BOB],
      [keyOfAsset(nftOf(2)), CAROL],
    ])
    expect(outputsOf(payment).slice(0, 3)).toEqual(['carol 700', 'bob 600', 'alice 546'])
    expect(payment.inputs.slice(0, 3).map(({ amount }) => amount)).toEqual([700n, 600n, 546n])
  })

  it('moves no coin that holds nothing of what is asked for, and nothing that is on no coin', () => {
    const coins = coinsWith([546n, inscription(1, 0n)], [600n, inscription(2, 0n)])
    expect(() => send(coins, [[idOf(1), ALICE]])).toThrow('a coin holds nothing that is asked for')
    expect(() => send(coins.slice(0, 1), [[idOf(2), ALICE]])).toThrow('is on none of the coins')
    expect(() => send([], [])).toThrow('there is no coin')
  })

  it('refuses two receivers for what is on one coin, be it small or large enough to be cut', () => {
    const asked: [string, Uint8Array][] = [
      [idOf(1), ALICE],
      [idOf(2), BOB],
    ]
    for (const sats of [1_000n, 100_000_000n]) {
      const coins = coinsWith([sats, inscription(1, 0n), inscription(2, sats - 1n)])
      expect(() => send(coins, asked)).toThrow(SharedCoinError)
      expect(() => send(coins, asked)).toThrow(`${idOf(1)} and ${idOf(2)} share a coin`)
    }
    const more = coinsWith(
      [546n, inscription(3, 0n)],
      [1_000n, inscription(1, 0n), inscription(2, 900n)],
    )
    expect(() => send(more, [[idOf(3), ALICE], ...asked])).toThrow(SharedCoinError)
  })

  it('lets runes go along with their coin, and refuses to give them to another receiver', () => {
    const rich: [bigint, ...Asset[]] = [546n, inscription(1, 0n), RUNES]
    const plain: [bigint, ...Asset[]] = [546n, inscription(2, 0n)]
    const asked: [string, Uint8Array][] = [
      [idOf(1), ALICE],
      [idOf(2), BOB],
    ]
    expect(outputsOf(send(coinsWith(rich, plain), asked)).slice(0, 2)).toEqual([
      'alice 546',
      'bob 546',
    ])
    expect(() => send(coinsWith(plain, rich), asked)).toThrow(StrayRunesError)
  })

  it('measures dust by each one’s kind of address', () => {
    const coins = coinsWith([330n, inscription(1, 0n)], [330n, inscription(2, 0n)])
    const asked = (...to: Uint8Array[]) =>
      to.map((one, n) => [idOf(n + 1), one]) as [string, Uint8Array][]
    expect(outputsOf(send(coins, asked(ALICE, BOB))).slice(0, 2)).toEqual(['alice 330', 'bob 330'])
    expect(() => send(coins, asked(ALICE, CAROL))).toThrow(DustError)
  })
})

const receivers = fc.constantFrom(...RECIPIENT_SCRIPTS)
/** What a coin holds; the first that can be moved is asked for. */
const contents = fc.record({
  sats: fc.bigInt({ min: 330n, max: 40_000n }),
  inscribed: fc.array(fc.record({ share: fc.nat({ max: 999 }), asked: fc.boolean() }), {
    maxLength: 3,
  }),
  nfts: fc.constantFrom(0, 0, 1, 2),
  units: fc.constantFrom(0n, 0n, 0n, 0n, 100n),
  runes: fc.constantFrom(false, false, false, false, false, true),
  to: receivers,
  /** Sometimes a page asks for two receivers of one coin. */
  other: fc.oneof(
    { weight: 12, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: receivers },
  ),
})
/** Of a few sats often enough that they do not pay. */
const cleanSats = fc.oneof(
  fc.bigInt({ min: 600n, max: 90_000n }),
  fc.bigInt({ min: 600n, max: 2_000n }),
)
const situations = fc.record({
  coins: fc.array(contents, { minLength: 2, maxLength: 6 }),
  clean: fc.array(cleanSats, { minLength: 1, maxLength: 3 }),
  feeRate: fc.integer({ min: 100, max: 20_000 }).map(milli => milli / 1000),
  shuffle: fc.infiniteStream(fc.nat()),
})

type Situation = typeof situations extends fc.Arbitrary<infer T> ? T : never

/** The coins, and what is asked for, which the page may list in any order. */
function buildSituation({ coins, shuffle }: Situation) {
  let count = 0
  const wanted: { key: string; to: Uint8Array; outpoint: string }[] = []
  const funded = fund(
    KEY,
    'p2tr',
    coins.map(({ sats }) => sats),
  )
  const assetCoins = funded.utxos.map((utxo, at): AssetCoin => {
    const { inscribed = [], nfts = 0, units = 0n, runes, to, other } = coins[at] ?? {}
    const moved: { asset: Asset; asked: boolean }[] = [
      ...inscribed.map(({ share, asked }) => {
        const asset = inscription(++count, (utxo.amount * BigInt(share)) / 1000n)
        return { asset, asked }
      }),
      ...Array.from({ length: nfts }, () => ({ asset: nftOf(++count), asked: true })),
    ]
    if (moved.length === 0) moved.push({ asset: inscription(++count, 0n), asked: true })
    const asked = moved.filter((one, n) => n === 0 || one.asked)
    for (const [n, { asset }] of asked.entries()) {
      const receiver = (n > 0 ? other : null) ?? to ?? ALICE
      wanted.push({ key: keyOfAsset(asset), to: receiver, outpoint: formatOutpoint(utxo) })
    }
    const assets = [
      ...moved.map(({ asset }) => asset),
      ...(units > 0n ? [tokenOf(200, units)] : []),
      ...(runes ? [RUNES] : []),
    ]
    return { ...utxo, assets }
  })
  const mixed = wanted
    .map(one => ({ one, at: Number(shuffle.next().value ?? 0) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)
  const order = [...new Set(mixed.map(({ outpoint }) => outpoint))]
  const sorted = assetCoins.toSorted(
    (a, b) => order.indexOf(formatOutpoint(a)) - order.indexOf(formatOutpoint(b)),
  )
  return { coins: sorted, wanted: mixed, previous: funded.previous }
}

/** Signed bytes as an independent library reads them. */
function readOutputs(payment: Payment): { script: string; amount: bigint }[] {
  const read = ScureTransaction.fromRaw(
    signPayment(payment, [{ privateKey: KEY, addressType: payment.addressType }], new Map()).rawTx,
    {
      allowUnknownOutputs: true,
      disableScriptCheck: true,
    },
  )
  return Array.from({ length: read.outputsLength }, (_, at) => {
    const { script = new Uint8Array(), amount = 0n } = read.getOutput(at)
    return { script: toHex(script), amount }
  })
}

/** Who gets each asset by the rules of its protocol alone: sats are counted, the k-th input with NFTs goes to output k, runes to the first. */
function findOwners(payment: Payment, coins: readonly AssetCoin[]): Map<string, string> {
  const outputs = readOutputs(payment)
  const held = new Map(coins.map(coin => [formatOutpoint(coin), coin.assets]))
  const owners = new Map<string, string>()
  let rank = 0
  for (const [input, coin] of payment.inputs.entries()) {
    const assets = held.get(formatOutpoint(coin)) ?? []
    let hasNft = false
    for (const asset of assets) {
      if (asset.kind === 'inscription' && asset.offset !== null) {
        let ahead = asset.offset
        for (const { amount } of payment.inputs.slice(0, input)) ahead += amount
        const at = outputs.findIndex(({ amount }) => {
          ahead -= amount
          return ahead < 0n
        })
        owners.set(asset.id, outputs[at]?.script ?? 'fee')
      }
      if (asset.kind === 'rune')
        owners.set(`${formatOutpoint(coin)} runes`, outputs[0]?.script ?? '')
      if (asset.kind !== 'atomical' || asset.type !== 'nft') continue
      hasNft = true
      owners.set(keyOfAsset(asset), outputs[rank]?.script ?? 'fee')
    }
    if (hasNft) rank++
  }
  return owners
}

describe('whatever the coins and receivers', () => {
  it('each asset goes to exactly its receiver, or nothing is built; in replacements too', () => {
    const seen = { built: 0, several: 0, nfts: 0, along: 0, runes: 0, bumped: 0, cancelled: 0 }
    const refused = new Map<unknown, number>()
    const refusals = [
      SharedCoinError,
      StrayRunesError,
      MixedTokensError,
      DustError,
      InsufficientFundsError,
    ]
    fc.assert(
      fc.property(situations, situation => {
        const { clean, feeRate } = situation
        const { coins, wanted } = buildSituation(situation)
        const asked = new Map(wanted.map(({ key, to }) => [key, to]))
        const utxos = fund(KEY, 'p2tr', clean, 100).utxos
        let payment: Payment
        try {
          payment = buildTransfer({ coins, asked, utxos, own: OWN, feeRate, seed: 's' })
        } catch (error) {
          const refusal = refusals.find(one => error instanceof one)
          if (!refusal) throw error
          refused.set(refusal, (refused.get(refusal) ?? 0) + 1)
          return
        }
        seen.built++
        const receivers = new Map(wanted.map(({ outpoint, to }) => [outpoint, toHex(to)]))
        seen.several += Number(new Set(receivers.values()).size > 1)
        // No coin is asked for by two.
        for (const { outpoint, to } of wanted) expect(receivers.get(outpoint)).toBe(toHex(to))
        const owners = findOwners(payment, coins)
        for (const { key, to } of wanted) expect(owners.get(key)).toBe(toHex(to))
        for (const coin of coins) {
          const outpoint = formatOutpoint(coin)
          for (const asset of coin.assets) {
            const isRune = asset.kind === 'rune'
            if (asset.kind === 'atomical' && asset.type === 'ft') continue
            const key = isRune ? `${outpoint} runes` : keyOfAsset(asset)
            expect(owners.get(key)).toBe(receivers.get(outpoint))
            seen.runes += Number(isRune)
            seen.nfts += Number(asset.kind === 'atomical')
            seen.along += Number(!isRune && !asked.has(key))
          }
        }
        const bump = { sent: payment, utxos: fund(KEY, 'p2tr', [60_000n], 200).utxos, own: OWN }
        const least = { ...bump, feeRate: leastCancellationFeeRate(payment, OWN), seed: 'b' }
        const faster = tryBump(() => buildReplacement(least))
        if (faster) {
          seen.bumped++
          expect(findOwners(faster, coins)).toEqual(owners)
        }
        const back = tryBump(() => buildCancellation(least))
        if (back) {
          seen.cancelled++
          const own = toHex(coins[0]?.scriptPubKey ?? new Uint8Array())
          expect(new Set(findOwners(back, coins).values())).toEqual(new Set([own]))
        }
      }),
      { numRuns: campaign('transfers to several receivers').count },
    )
    expect(Object.entries(seen).filter(([, times]) => times < 3)).toEqual([])
    expect(refusals.filter(refusal => (refused.get(refusal) ?? 0) === 0)).toEqual([])
  })
})

function tryBump(run: () => Payment): Payment | null {
  try {
    return run()
  } catch (error) {
    if (error instanceof InsufficientFundsError) return null
    throw error
  }
}

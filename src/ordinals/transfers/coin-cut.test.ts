import { describe, expect, it } from 'vitest'
import { scriptPubKeyOf } from '../../bitcoin/address.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import type { Asset } from '../asset.ts'
import { idOf, inscription, RUNES } from '../testing/test-assets.ts'
import { type AssetCoin, costOfOutput, countParcels, cutCoin } from './coin-cut.ts'
import { buildSplit, NothingToSplitError } from './split-output.ts'

const publicKey = publicKeyOf(new Uint8Array(32).fill(7))
const OWN = { publicKey, addressType: 'p2wpkh' } as const
const SCRIPT = scriptPubKeyOf(publicKey, 'p2wpkh')

/** Postage, and at 1 sat/vB what makes an output worth it: the postage, 31 vB for it and 68 vB for spending it. */
const LEAST = 546n
const WORTH = 645n

const coinOf = (amount: bigint, assets: readonly Asset[] = []): AssetCoin => ({
  ...{ txid: 'aa'.repeat(32), vout: 0, height: 1, scriptPubKey: SCRIPT, amount, assets },
})

/** Segments of a coin as `sats`, or `sats stay` and `sats leave` for those with an inscription; the front coin before them. */
function cut(
  amount: bigint,
  marks: readonly { at: bigint; leaves?: boolean }[],
  changes: { apart?: boolean; clean?: readonly bigint[]; runes?: boolean } = {},
): string {
  const { apart = false, clean = [], runes = false } = changes
  const assets = marks.map(({ at }, n) => inscription(n + 1, at))
  const { front, segments } = cutCoin({
    coin: coinOf(amount, runes ? [...assets, RUNES] : assets),
    leaving: new Set(marks.flatMap(({ leaves }, n) => (leaves ? idOf(n + 1) : []))),
    ...{ apart, least: LEAST, feeRate: 1 },
    clean: clean.map(sats => coinOf(sats)),
  })
  const told = segments.map(({ sats, holds }) =>
    holds ? `${sats} ${holds.leaves ? 'leave' : 'stay'}` : `${sats}`,
  )
  return [...(front ? [`front ${front.amount}`] : []), ...told].join(', ')
}

const leave = (at: bigint) => ({ at, leaves: true })
const stay = (at: bigint) => ({ at })

describe('what one more output costs', () => {
  // Sizes of outputs and inputs by Bitcoin Optech's calculator, in whole vB, with signatures of 71 bytes (low r).
  it.each([
    ['p2tr', 43 + 58],
    ['p2wpkh', 31 + 68],
    ['p2sh-p2wpkh', 32 + 91],
    ['p2pkh', 34 + 147],
  ] as const)('is its bytes and those of spending it: %s', (type, vsize) => {
    const script = scriptPubKeyOf(publicKey, type)
    expect(costOfOutput(script, 1)).toBe(BigInt(vsize))
    expect(costOfOutput(script, 10)).toBe(BigInt(10 * vsize))
  })
})

describe('a coin with one inscription that leaves', () => {
  it.each([
    [
      'gives an output of the postage, and the sats before it in one of their own',
      5_000n,
      '5000, 546 leave',
    ],
    [
      'keeps the sats before it together where they are just worth an output',
      WORTH,
      '645, 546 leave',
    ],
    ['gives them along where they are not', WORTH - 1n, '645 leave'],
    ['has it at the beginning of its output where it can', 0n, '546 leave'],
    ['has it further behind where it is near the end of the coin', 9_999n, '9454, 546 leave'],
  ])('%s', (_, at, segments) => {
    expect(cut(10_000n, [leave(at)])).toBe(segments)
  })

  it('of less than the postage is made whole by what stands behind it', () => {
    expect(cut(400n, [leave(399n)])).toBe('546 leave')
  })
})

describe('inscriptions that leave and that stay', () => {
  it.each([
    ['have outputs of their own', [stay(1_000n), leave(3_000n)], '1000, 546 stay, 1454, 546 leave'],
    [
      'share the sats between them as long as those stay',
      [stay(1_000n), leave(1_600n)],
      '1000, 600 stay, 546 leave',
    ],
    [
      'do not share them where they would leave',
      [leave(1_000n), stay(1_600n)],
      '1000, 546 leave, 546 stay',
    ],
    ['just have room', [stay(1_000n), leave(1_546n)], '1000, 546 stay, 546 leave'],
    ['leave together where there is no room between them', [stay(0n), leave(545n)], '546 leave'],
    [
      'are cut a sat before one where that makes room',
      [stay(1_000n), leave(1_545n)],
      '999, 546 stay, 546 leave',
    ],
    ['leave together where they are on one sat', [stay(1_000n), leave(1_000n)], '1000, 546 leave'],
    [
      'are taken in the order of their sats',
      [leave(3_000n), stay(1_000n)],
      '1000, 546 stay, 1454, 546 leave',
    ],
    [
      'that leave go together with little between them',
      [leave(1_000n), leave(2_190n)],
      '1000, 1191 leave',
    ],
    [
      'that leave go apart where an output fits between them',
      [leave(1_000n), leave(2_191n)],
      '1000, 546 leave, 645, 546 leave',
    ],
    ['that stay do so in one output', [stay(1_000n), stay(9_000n)], '1000, 8001 stay'],
    [
      'tie only those together that have no room',
      [stay(0n), leave(100n), stay(5_000n)],
      '546 leave, 4454, 546 stay',
    ],
  ])('%s', (_, marks, segments) => {
    expect(cut(10_000n, marks)).toBe(segments)
  })

  it('are each parted from all others where that is asked for', () => {
    expect(cut(10_000n, [stay(1_000n), stay(1_546n)], { apart: true })).toBe(
      '1000, 546 stay, 546 stay',
    )
    expect(cut(10_000n, [stay(1_000n), stay(1_545n)], { apart: true })).toBe(
      '999, 546 stay, 546 stay',
    )
    expect(cut(10_000n, [leave(1_000n), leave(2_000n)], { apart: true })).toBe(
      '1000, 546 leave, 546 leave',
    )
  })
})

describe('a clean coin in front', () => {
  const tight = [stay(0n), leave(500n)]

  it('is used where it parts what would leave together, the smallest that does', () => {
    expect(cut(600n, tight)).toBe('546 leave')
    expect(cut(600n, tight, { clean: [2_000n, WORTH, 900n] })).toBe(
      'front 645, 699 stay, 546 leave',
    )
    expect(cut(600n, tight, { clean: [WORTH - 1n] })).toBe('546 leave')
  })

  it('is not used where it parts no more', () => {
    expect(cut(10_000n, [leave(0n)], { clean: [WORTH] })).toBe('546 leave')
  })

  it('is used to keep runes, which go to the first output', () => {
    expect(cut(10_000n, [leave(0n)], { runes: true })).toBe('546 leave')
    expect(cut(10_000n, [leave(0n)], { runes: true, clean: [WORTH] })).toBe(
      'front 645, 645, 546 leave',
    )
    expect(cut(10_000n, [leave(5_000n)], { runes: true, clean: [WORTH] })).toBe('5000, 546 leave')
    expect(cut(10_000n, [stay(0n)], { runes: true, clean: [WORTH] })).toBe('546 stay')
    expect(cut(10_000n, [stay(0n)], { runes: true, clean: [WORTH], apart: true })).toBe(
      'front 645, 645, 546 stay',
    )
  })
})

describe('a split', () => {
  const split = (coin: AssetCoin) =>
    buildSplit({ coin, postage: LEAST, utxos: [], own: OWN, feeRate: 1, seed: 'seed' })

  it('of one inscription needs as much left over as an output is worth', () => {
    expect(() => split(coinOf(LEAST + WORTH - 1n, [inscription(1, 0n)]))).toThrow(
      NothingToSplitError,
    )
    expect(() => split(coinOf(LEAST + WORTH, [inscription(1, 0n)]))).not.toThrow(
      NothingToSplitError,
    )
  })

  it('frees no runes that are on the output of the inscription anyhow', () => {
    expect(() => split(coinOf(LEAST + WORTH - 1n, [inscription(1, 0n), RUNES]))).toThrow(
      NothingToSplitError,
    )
  })

  it('of a coin without inscriptions is none', () => {
    expect(() => split(coinOf(100_000n, [RUNES]))).toThrow(NothingToSplitError)
    expect(countParcels({ front: null, segments: [{ sats: 5n, holds: null }] })).toBe(0)
  })
})

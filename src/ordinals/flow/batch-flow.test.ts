import { describe, expect, it } from 'vitest'
import type { CoinAssets } from '../asset.ts'
import { type BatchTransaction, traceBatch } from './batch-flow.ts'

const SCRIPT = Uint8Array.of(0x51)
const CLEAN: CoinAssets = { known: true, assets: [] }
const INSCRIPTION = { kind: 'inscription', id: 'i0', offset: 100n } as const
const INSCRIBED: CoinAssets = { known: true, assets: [INSCRIPTION] }

const [ROOT, CLEAN_ROOT, UNKNOWN_ROOT] = ['aa', 'bb', 'cc'].map(byte => `${byte.repeat(32)}:0`) as [
  string,
  string,
  string,
]
const held = new Map([
  [ROOT, INSCRIBED],
  [CLEAN_ROOT, CLEAN],
])
const assetsOf = (outpoint: string): CoinAssets =>
  held.get(outpoint) ?? { known: false, why: 'behind' }

/** Spends coins of 1,000 sats. */
function spend(txid: string, outpoints: string[], ...amounts: bigint[]): BatchTransaction {
  return {
    txid,
    inputs: outpoints.map(outpoint => ({ outpoint, amount: 1_000n })),
    outputs: amounts.map(amount => ({ amount, scriptPubKey: SCRIPT })),
    creates: new Set(),
  }
}

describe('traceBatch', () => {
  const parent = spend('parent', [CLEAN_ROOT, ROOT], 1_000n, 1_000n)
  const child = spend('child', ['parent:1'], 50n, 900n)

  it.each([
    ['after', [parent, child]],
    ['before', [child, parent]],
  ])('follows what another one makes, that stands %s it or not', (_, batch) => {
    const traced = traceBatch(batch, assetsOf)
    const at = batch.indexOf(child)
    expect(traced[at]).toEqual({
      contents: [{ assets: [INSCRIPTION], unknown: null }],
      moves: [{ asset: INSCRIPTION, input: 0, to: { kind: 'output', output: 1, offset: 50n } }],
    })
  })

  it('knows what falls on an output, and not what else may, of coins that nobody told of', () => {
    const mixed = spend('parent', [UNKNOWN_ROOT, ROOT], 1_000n, 1_000n)
    const [, after] = traceBatch([mixed, child], assetsOf)
    expect(after?.contents).toEqual([{ assets: [INSCRIPTION], unknown: 'behind' }])
    expect(after?.moves).toHaveLength(1)
  })

  it('knows no output of one in which something goes nobody knows where', () => {
    const { inputs, ...rest } = parent
    const vague = { ...rest, inputs: inputs.map(input => ({ ...input, amount: null })) }
    const [, after] = traceBatch([vague, child], assetsOf)
    expect(after?.contents).toEqual([{ assets: [], unknown: 'unanswered' }])
  })

  it('takes no output for clean on which its transaction itself may put something', () => {
    const reveal = { ...spend('parent', [CLEAN_ROOT], 400n, 400n), creates: new Set([1]) }
    const children = [child, spend('other', ['parent:0'], 300n)]
    const [, second, first] = traceBatch([reveal, ...children], assetsOf)
    expect(second?.contents).toEqual([{ assets: [], unknown: 'unconfirmed' }])
    expect(first?.contents).toEqual([{ assets: [], unknown: null }])
  })

  it('makes nothing known of transactions that claim to spend each other', () => {
    const circle = [spend('one', ['two:0'], 900n), spend('two', ['one:0'], 900n)]
    const traced = traceBatch(circle, assetsOf)
    expect(traced.flatMap(({ contents }) => contents)).toEqual([
      { assets: [], unknown: 'contradicted' },
      { assets: [], unknown: 'contradicted' },
    ])
  })

  describe('with Atomicals', () => {
    const NFT = {
      kind: 'atomical',
      id: `${'dd'.repeat(32)}i0`,
      type: 'nft',
      number: 1,
      name: null,
      amount: 1n,
    } as const
    const holdsNft = (outpoint: string): CoinAssets =>
      outpoint === ROOT ? { known: true, assets: [NFT] } : assetsOf(outpoint)
    const lands = (output: number) => ({ kind: 'output', output, offset: null })

    it('follows an NFT through both', () => {
      const first = spend('parent', [CLEAN_ROOT, ROOT], 1_000n, 1_000n)
      const second = spend('child', [CLEAN_ROOT, 'parent:0'], 50n, 900n)
      const traced = traceBatch([second, first], holdsNft)
      expect(traced.map(({ moves }) => moves.map(({ to }) => to))).toEqual([[lands(0)], [lands(0)]])
      expect(traced[0]?.contents[1]).toEqual({ assets: [NFT], unknown: null })
    })

    it('says nothing of one behind a coin that nobody told of, and nothing then of what is made', () => {
      const behind = spend('parent', [UNKNOWN_ROOT, ROOT], 1_000n, 1_000n)
      const [traced, after] = traceBatch([behind, child], holdsNft)
      expect(traced?.moves.map(({ to }) => to)).toEqual([{ kind: 'unknown' }])
      expect(after?.contents).toEqual([{ assets: [], unknown: 'behind' }])
      const before = spend('parent', [ROOT, UNKNOWN_ROOT], 1_000n, 1_000n)
      expect(traceBatch([before], holdsNft)[0]?.moves[0]?.to).toEqual(lands(0))
    })

    it('heeds what its witnesses say', () => {
      const operation = { operation: 'sl', payload: new Map(), input: 0 } as const
      const sealed = { ...spend('parent', [ROOT], 1_000n), operation }
      expect(traceBatch([sealed], holdsNft)[0]?.moves[0]?.to).toEqual({
        kind: 'burned',
        output: null,
      })
    })
  })

  describe('of a coin that one of them made long since', () => {
    const whole = spend('parent', [CLEAN_ROOT, CLEAN_ROOT], 1_000n, 1_000n)
    const contentsBy = (evidence: CoinAssets) =>
      traceBatch([whole, child], assetsOf, () => evidence)[1]?.contents

    it('knows what an index tells of it too', () => {
      expect(contentsBy(INSCRIBED)).toEqual([{ assets: [INSCRIPTION], unknown: null }])
      expect(contentsBy(CLEAN)).toEqual([{ assets: [], unknown: null }])
    })

    it('does not know it where the index says nothing, and believes the batch where it is in no block', () => {
      expect(contentsBy({ known: false, why: 'behind' })).toEqual([
        { assets: [], unknown: 'behind' },
      ])
      expect(contentsBy({ known: false, why: 'unconfirmed' })).toEqual([
        { assets: [], unknown: null },
      ])
    })

    it('does not know the sat where the two tell different ones', () => {
      const told: CoinAssets = { known: true, assets: [{ ...INSCRIPTION, offset: 7n }] }
      const [, after] = traceBatch([parent, child], assetsOf, () => told)
      expect(after?.contents).toEqual([
        { assets: [{ ...INSCRIPTION, offset: null }], unknown: null },
      ])
    })

    it('takes the larger amount of a rune that both tell of', () => {
      const rune = { kind: 'rune', name: 'A', rune: '1:1', divisibility: 0, symbol: null } as const
      const holding = (amount: bigint): CoinAssets => ({
        known: true,
        assets: [{ ...rune, amount }],
      })
      for (const [made, told] of [
        [3n, 9n],
        [9n, 3n],
      ] as const) {
        const sources = (outpoint: string) => (outpoint === ROOT ? holding(made) : CLEAN)
        const batch = [spend('parent', [ROOT], 1n, 999n), spend('child', ['parent:0'], 1n)]
        const [, after] = traceBatch(batch, sources, () => holding(told))
        expect(after?.contents).toEqual([{ assets: [{ ...rune, amount: 9n }], unknown: null }])
      }
    })
  })
})

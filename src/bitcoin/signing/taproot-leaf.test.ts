import { taggedHash } from 'bitcoinjs-lib/src/crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../bytes.ts'
import { isXOnlyPoint, xOnlyPointAddTweak } from '../secp256k1.ts'
import bip341 from '../testing/vectors/bip341-wallet.json' with { type: 'json' }
import {
  commitToLeaf,
  isLeafOf,
  leafHash,
  outputKeyOfLeaf,
  type TaprootLeaf,
} from './taproot-leaf.ts'

type Tree = { id: number; script: string; leafVersion: number } | Tree[]
type Vector = {
  given: { internalPubkey: string; scriptTree: Tree | null }
  intermediary: { leafHashes?: string[] }
  expected: { scriptPubKey: string; scriptPathControlBlocks?: string[] }
}

const leavesOf = (tree: Tree): Exclude<Tree, Tree[]>[] =>
  Array.isArray(tree) ? tree.flatMap(leavesOf) : [tree]

const vectors: Vector[] = bip341.scriptPubKey

/** Every leaf of the wallet test vectors of BIP-341. */
const cases = vectors.flatMap(({ given, intermediary, expected }) =>
  leavesOf(given.scriptTree ?? []).map(({ id, script, leafVersion }) => ({
    scriptPubKey: fromHex(expected.scriptPubKey),
    hash: intermediary.leafHashes?.[id] ?? '',
    leaf: {
      script: fromHex(script),
      leafVersion,
      controlBlock: fromHex(expected.scriptPathControlBlocks?.[id] ?? ''),
    } satisfies TaprootLeaf,
  })),
)

describe('a leaf of BIP-341', () => {
  it('has the published hash and leads to the published output', () => {
    expect(cases).toHaveLength(12)
    for (const { scriptPubKey, hash, leaf } of cases) {
      const computed = leafHash(leaf.script, leaf.leafVersion)
      expect(toHex(computed)).toBe(hash)
      expect(outputKeyOfLeaf(leaf.controlBlock, computed)).toEqual(scriptPubKey.slice(2))
      expect(isLeafOf(scriptPubKey, leaf)).toBe(true)
    }
  })

  it('that is alone gives the published output and control block', () => {
    let count = 0
    for (const { given, intermediary, expected } of vectors) {
      const [hash, ...others] = intermediary.leafHashes ?? []
      if (hash === undefined || others.length > 0) continue
      const { scriptPubKey, controlBlock } = commitToLeaf(
        fromHex(given.internalPubkey),
        fromHex(hash),
      )
      expect(toHex(scriptPubKey)).toBe(expected.scriptPubKey)
      // One of them has a leaf version that no other code of ours makes.
      const [published = ''] = expected.scriptPathControlBlocks ?? []
      expect(toHex(controlBlock.slice(1))).toBe(published.slice(2))
      expect((controlBlock[0] ?? 0) & 1).toBe(Number.parseInt(published.slice(0, 2), 16) & 1)
      count++
    }
    expect(count).toBe(2)
    expect(() => commitToLeaf(new Uint8Array(32).fill(0xff), new Uint8Array(32))).toThrow()
  })

  it('is not one of an output when any bit of its script, version, control block or the output is another', () => {
    fc.assert(
      fc.property(fc.constantFrom(...cases), fc.nat(), fc.nat(7), (vector, place, bit) => {
        const flip = (bytes: Uint8Array) => {
          const changed = bytes.slice()
          const at = place % bytes.length
          changed[at] = (changed[at] ?? 0) ^ (1 << bit)
          return changed
        }
        const { scriptPubKey, leaf } = vector
        const { script, controlBlock, leafVersion } = leaf
        expect(isLeafOf(scriptPubKey, { ...leaf, script: flip(script) })).toBe(false)
        expect(isLeafOf(scriptPubKey, { ...leaf, controlBlock: flip(controlBlock) })).toBe(false)
        expect(isLeafOf(flip(scriptPubKey), leaf)).toBe(false)
        expect(isLeafOf(scriptPubKey, { ...leaf, leafVersion: leafVersion ^ (1 << bit) })).toBe(
          false,
        )
      }),
    )
  })

  it('leads to the output that libsecp256k1 tweaks its key to, or to none, whatever bytes the key is', () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
    // Beyond the field's prime.
    const large = bytes.map(key => key.fill(0xff, 0, 31))
    fc.assert(
      fc.property(fc.oneof(bytes, bytes, large), bytes, (key, hash) => {
        const tweak = taggedHash('TapTweak', Uint8Array.of(...key, ...hash))
        const output = isXOnlyPoint(key) ? xOnlyPointAddTweak(key, tweak) : null
        const found = [0, 1].map(parity =>
          outputKeyOfLeaf(Uint8Array.of(0xc0 | parity, ...key), hash),
        )
        expect(found).toEqual([0, 1].map(of => (output?.parity === of ? output.xOnlyPubkey : null)))
      }),
    )
  })

  it('is not one of an output by a control block of another length, or one deeper than 128', () => {
    const [vector] = cases
    if (!vector) expect.fail('no vector')
    const { controlBlock } = vector.leaf
    const hash = fromHex(vector.hash)
    for (const size of [0, 1, 32, 34, 64, 66])
      expect(outputKeyOfLeaf(Uint8Array.from({ ...controlBlock, length: size }), hash)).toBeNull()
    const deep = (depth: number) =>
      [0, 1].map(parity => {
        const block = Uint8Array.from({ ...controlBlock, length: 33 + 32 * depth })
        block[0] = 0xc0 | parity
        return outputKeyOfLeaf(block, hash)
      })
    expect(deep(128).filter(key => key !== null)).toHaveLength(1)
    expect(deep(129)).toEqual([null, null])
  })
})

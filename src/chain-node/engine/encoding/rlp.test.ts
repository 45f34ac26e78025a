import { decodeRlp as referenceDecode, encodeRlp as referenceEncode } from 'ethers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeHex, encodeHex, type Hex } from '../../codec/hex.ts'
import { decodeRlp, encodeRlp, isRlpList, RlpError, type RlpItem, type RlpValue } from './rlp.ts'

type Tree = string | Tree[]

const trees: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>(tie => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.uint8Array({ maxLength: 70 }).map(bytes => encodeHex(bytes)),
    fc.array(tie('tree'), { maxLength: 6 }),
  ),
})).tree

function toTree(item: RlpItem): Tree {
  return isRlpList(item) ? item.items.map(toTree) : encodeHex(item)
}

function toValue(tree: Tree): RlpValue {
  return typeof tree === 'string' ? decodeHex(tree as Hex) : tree.map(toValue)
}

describe('RLP', () => {
  it('is written and read as ethers does', () => {
    fc.assert(
      fc.property(trees, tree => {
        const expected = referenceEncode(tree)
        expect(encodeHex(encodeRlp(toValue(tree)))).toBe(expected)
        expect(toTree(decodeRlp(decodeHex(expected as Hex)))).toEqual(tree)
      }),
    )
  })

  it.each([0, 1, 55, 56, 255, 256, 65_535, 65_536, 70_000])('holds %i bytes', length => {
    const bytes = new Uint8Array(length).fill(200)
    const encoded = encodeRlp([bytes])
    expect(encodeHex(encoded)).toBe(referenceEncode([encodeHex(bytes)]))
    expect(toTree(decodeRlp(encoded))).toEqual([encodeHex(bytes)])
  })

  // Examples of the yellow paper's appendix B as ethereum.org gives them.
  it.each<[RlpValue, Hex]>([
    [0n, '0x80'],
    [15n, '0x0f'],
    [127n, '0x7f'],
    [128n, '0x8180'],
    [1024n, '0x820400'],
    [[], '0xc0'],
    [[[], [[]], [[], [[]]]], '0xc7c0c1c0c3c0c1c0'],
    [Buffer.from('dog'), '0x83646f67'],
    [[Buffer.from('cat'), Buffer.from('dog')], '0xc88363617483646f67'],
  ])('of example %#', (value, expected) => {
    expect(encodeHex(encodeRlp(value))).toBe(expected)
  })

  it('takes over lists that were read', () => {
    const read = decodeRlp(decodeHex('0xc88363617483646f67'))
    expect(encodeHex(encodeRlp([1n, read as RlpValue]))).toBe(
      referenceEncode(['0x01', ['0x636174', '0x646f67']]),
    )
  })

  // Texts of go-ethereum's rlp package.
  it.each<[Hex, string]>([
    ['0x', 'rlp: unexpected EOF'],
    ['0x0102', 'rlp: input contains more than one value'],
    ['0x82ff', 'rlp: value size exceeds available input length'],
    ['0xc3c282', 'rlp: value size exceeds available input length'],
    ['0xc3c28201', 'rlp: element is larger than containing list'],
    ['0xbf0fffffffffffffff', 'rlp: value size exceeds available input length'],
    ['0xf9ff', 'rlp: value size exceeds available input length'],
    ['0x8105', 'rlp: non-canonical size information'],
    ['0xb800', 'rlp: non-canonical size information'],
    [`0xb837${'00'.repeat(55)}`, 'rlp: non-canonical size information'],
    [`0xb90038${'00'.repeat(56)}`, 'rlp: non-canonical size information'],
    ['0xcbcac9c8c7c6c5c4c3c2c1c0', 'rlp: lists are nested too deeply'],
  ])('is refused: %s', (hex, message) => {
    expect(() => decodeRlp(decodeHex(hex))).toThrow(new RlpError(message))
  })

  it('of random bytes is what ethers makes of it, or is refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), bytes => {
        let read: Tree
        try {
          read = toTree(decodeRlp(bytes))
        } catch (error) {
          expect(error).toBeInstanceOf(RlpError)
          return
        }
        expect(read).toEqual(referenceDecode(bytes))
        expect(encodeHex(encodeRlp(toValue(read)))).toBe(encodeHex(bytes))
      }),
      { numRuns: 500 },
    )
  })
})

import { createMPT } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeHex } from '../../codec/hex.ts'
import { computeOrderedRoot } from './ordered-trie.ts'

async function computeReferenceRoot(values: readonly Uint8Array[]): Promise<string> {
  const trie = await createMPT()
  for (const [index, value] of values.entries()) await trie.put(RLP.encode(index), value)
  return encodeHex(trie.root())
}

describe('the root of values by position', () => {
  it('of none is that of an empty trie', () => {
    expect(encodeHex(computeOrderedRoot([]))).toBe(
      '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    )
  })

  it('is that of EthereumJS for short and long values', async () => {
    const value = fc.uint8Array({ minLength: 1, maxLength: 50 })
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 40 }), async values => {
        expect(encodeHex(computeOrderedRoot(values))).toBe(await computeReferenceRoot(values))
      }),
      { numRuns: 50 },
    )
  })

  it.each([1, 2, 16, 17, 127, 128, 129, 255, 256, 257, 600])(
    'is that of EthereumJS for %i values',
    async count => {
      const values = Array.from({ length: count }, (_, i) => new Uint8Array((i % 90) + 1).fill(i))
      expect(encodeHex(computeOrderedRoot(values))).toBe(await computeReferenceRoot(values))
    },
  )
})

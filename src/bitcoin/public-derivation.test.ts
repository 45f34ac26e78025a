import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from './bytes.ts'
import { createPublicNodes, deriveKey } from './derivation.ts'
import { formatKeyPath, HARDENED } from './key-origin.ts'
import { createPublicKeys } from './public-derivation.ts'
import { BIP32_VECTORS } from './testing/bip-vectors.ts'

describe('public keys of many paths', () => {
  it('are those of BIP-32’s vectors', () => {
    for (const { seed, path, publicKey } of BIP32_VECTORS)
      expect(toHex(createPublicKeys(fromHex(seed))(path)), path).toBe(publicKey)
  })

  it('are those of the BIP-32 library, in any order, hardened or not', () => {
    const step = fc.oneof(
      fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      fc.integer({ min: HARDENED, max: 2 ** 32 - 1 }),
      fc.constantFrom(0, 1, HARDENED),
    )
    const paths = fc.array(fc.array(step, { maxLength: 5 }), { minLength: 1, maxLength: 6 })
    const seeds = fc.uint8Array({ minLength: 16, maxLength: 64 })
    fc.assert(
      fc.property(seeds, paths, (seed, list) => {
        const publicKeyAt = createPublicKeys(seed)
        const nodeAt = createPublicNodes(seed)
        for (const path of list.map(formatKeyPath)) {
          expect(toHex(publicKeyAt(path)), path).toBe(toHex(nodeAt(path).publicKey))
          expect(toHex(publicKeyAt(path)), path).toBe(toHex(deriveKey(seed, path).publicKey))
        }
      }),
      { numRuns: 40 },
    )
  })

  it('are of no path that is none', () => {
    expect(() => createPublicKeys(new Uint8Array(16))('m/x')).toThrow('m/x is no path')
  })
})

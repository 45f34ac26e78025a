import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeAddress } from './address.ts'
import { looksLike } from './address-likeness.ts'
import { publicKeyOf } from './secp256k1.ts'

const KNOWN = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'

describe('an address', () => {
  it('with the ends of a known one and another middle looks like it', () => {
    expect(looksLike('bc1qar0qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqf5mdq', KNOWN)).toBe(true)
  })

  it('of another kind and spelling looks like a known one all the same', () => {
    expect(looksLike('bc1par0qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmdq', KNOWN)).toBe(
      true,
    )
    expect(
      looksLike('1BoaTSLRHtKNngkdXEeobR76b53LETtpyT', '3boatSqqqqqqqqqqqqqqqqqqqqqqqqTPYT'),
    ).toBe(true)
  })

  it('does not look like itself, nor like one that shares one end only', () => {
    expect(looksLike(KNOWN, KNOWN)).toBe(false)
    expect(looksLike('bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mqq', KNOWN)).toBe(false)
    expect(looksLike('bc1qxr0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', KNOWN)).toBe(false)
    expect(looksLike('1ar0TSLRHtKNngkdXEeobR76b53LETtmdq', KNOWN)).toBe(false)
  })

  it('that was not made to does not look like another', () => {
    const address = fc
      .tuple(
        fc
          .uint8Array({ minLength: 32, maxLength: 32 })
          .filter(key => key[0] !== 0 && key[0] !== 255),
        fc.constantFrom('p2tr', 'p2wpkh', 'p2pkh', 'p2sh-p2wpkh'),
      )
      .map(([key, type]) => encodeAddress(publicKeyOf(key), type as 'p2tr', 'mainnet'))
    fc.assert(
      fc.property(address, address, (one, other) => {
        expect(looksLike(one, other)).toBe(false)
      }),
    )
  })
})

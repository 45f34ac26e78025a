import fc from 'fast-check'

/** Valid private keys: below the order of the curve, and not zero. */
export const privateKeys = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter(key => (key[0] ?? 0) < 0xff && key.some(byte => byte !== 0))

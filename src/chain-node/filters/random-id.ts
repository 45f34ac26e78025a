import type { Hex } from '../codec/hex.ts'

/** An id that cannot be guessed, of 16 random bytes without leading zeros, as geth's. */
export function createRandomId(): Hex {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const digits = Buffer.from(bytes).toString('hex').replace(/^0+/, '')
  return `0x${digits || '0'}`
}

import { equalBytes } from './state/state-reader.ts'

/** EIP-7702: the code of an account that lends another's begins with it. */
export const DELEGATION_PREFIX = Uint8Array.of(0xef, 0x01, 0x00)

export function isDelegation(code: Uint8Array): boolean {
  return code.length === 23 && equalBytes(code.subarray(0, 3), DELEGATION_PREFIX)
}

/** The account whose code one lends; null for other code. */
export function findDelegate(code: Uint8Array): Uint8Array | null {
  return isDelegation(code) ? code.subarray(3) : null
}

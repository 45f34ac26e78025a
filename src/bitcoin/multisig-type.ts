import type { AddressType } from './address.ts'

/** The script of addresses that so many of several keys open, as in `p2wsh 2 of 3`; in taproot by its only leaf. */
export type MultisigType = `${'p2wsh' | 'p2sh-p2wsh' | 'p2tr'} ${number} of ${number}`

/** What opens the coins of an account: one key, or several. */
export type SpendType = AddressType | MultisigType

/** What a type says; null where one key opens it. */
export function readMultisigType(
  type: SpendType,
): { script: 'p2wsh' | 'p2sh-p2wsh' | 'p2tr'; threshold: number; keys: number } | null {
  const [, script, threshold, keys] = /^(p2wsh|p2sh-p2wsh|p2tr) (\d+) of (\d+)$/.exec(type) ?? []
  if (script !== 'p2wsh' && script !== 'p2sh-p2wsh' && script !== 'p2tr') return null
  return { script, threshold: Number(threshold), keys: Number(keys) }
}

/** Whether one key opens it. */
export function isAddressType(type: SpendType): type is AddressType {
  return readMultisigType(type) === null
}

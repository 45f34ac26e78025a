import type { AddressType } from './address.ts'

/** Scripts that several keys open; in taproot the only leaf. */
export type MultisigScript = 'p2wsh' | 'p2sh-p2wsh' | 'p2tr'

/** Such a script and how many of its keys must sign, as in `p2wsh 2 of 3`. */
export type MultisigType = `${MultisigScript} ${number} of ${number}`

/** What opens the coins of an account: one key, or several. */
export type SpendType = AddressType | MultisigType

/** What a type says; null where one key opens it. */
export function readMultisigType(
  type: SpendType,
): { script: MultisigScript; threshold: number; keys: number } | null {
  const [, script, threshold, keys] = /^(p2wsh|p2sh-p2wsh|p2tr) (\d+) of (\d+)$/.exec(type) ?? []
  if (script !== 'p2wsh' && script !== 'p2sh-p2wsh' && script !== 'p2tr') return null
  return { script, threshold: Number(threshold), keys: Number(keys) }
}

/** Whether one key opens it. */
export function isAddressType(type: SpendType): type is AddressType {
  return readMultisigType(type) === null
}

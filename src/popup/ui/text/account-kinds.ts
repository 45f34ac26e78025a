import type { AccountView, MultisigAccountView } from '../../../background/views/account-views.ts'
import type { AddressType } from '../../../bitcoin/address.ts'
import type { MultisigScript } from '../../../bitcoin/descriptors/descriptor.ts'
import { readMultisigType } from '../../../bitcoin/multisig-type.ts'
import { joinList } from '../../platform/join-words.ts'
import { words } from '../../platform/words.ts'

/** What people call the kinds of addresses: proper names, the same in every language. */
export const ADDRESS_TYPE_NAMES: { [type in AddressType]: string } = {
  p2tr: 'Taproot',
  p2wpkh: 'Native SegWit',
  'p2sh-p2wpkh': 'Nested SegWit',
  p2pkh: 'Legacy',
}

/** Name of an address's kind; null, a script that our own accounts cannot have, is said in words. */
export function nameAddressType(type: AddressType | null): string {
  return type === null ? words('commonOtherAddress') : ADDRESS_TYPE_NAMES[type]
}

/** The kinds of an account's fixed addresses. */
export function nameScriptKind(account: AccountView): string {
  const policy = policyOf(account)
  return policy ? MULTISIG_NAMES[policy.script] : nameSingle(account)
}

/** The same, of an account that several signers share with how many must sign. */
export function nameAccountKind(account: AccountView): string {
  const policy = policyOf(account)
  return policy ? nameMultisig(policy) : nameSingle(account)
}

function nameSingle({ addressType, ordinals }: AccountView): string {
  const name = nameAddressType(addressType)
  return ordinals ? `${name} + ${ADDRESS_TYPE_NAMES.p2tr}` : name
}

/** How many of how many must sign. */
export function namePolicy(account: MultisigAccountView): string {
  const { threshold = 0, keys = 0 } = policyOf(account) ?? {}
  return words('multisigPolicy', { threshold, keys })
}

/** What several signers share. */
export function nameMultisig({ script, threshold, keys }: MultisigPolicy): string {
  return joinList([MULTISIG_NAMES[script], words('multisigPolicy', { threshold, keys })])
}

function policyOf(account: AccountView): MultisigPolicy | null {
  return account.source === 'multisig' ? readMultisigType(account.spendType) : null
}

type MultisigPolicy = { script: MultisigScript; threshold: number; keys: number }

export const MULTISIG_NAMES: { [script in MultisigScript]: string } = {
  p2wsh: 'Native SegWit',
  'p2sh-p2wsh': 'Nested SegWit',
  p2tr: 'Taproot',
  p2sh: 'Legacy',
}

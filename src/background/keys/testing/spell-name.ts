import type { GivenName } from '../../views/account-views.ts'

/** A name as screens in English say it. */
export function spellName(name: GivenName): string {
  if (typeof name === 'string') return name
  return `${name.unnamed === 'account' ? 'Account' : 'Wallet'} ${name.number}`
}

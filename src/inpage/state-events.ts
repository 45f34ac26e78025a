import type { AccountInfo, PageState, ProviderEvent } from '../provider/envelope.ts'
import { hasOwn } from './primordials.ts'

/** The account as pages see it: a fresh plain object. */
export function copyAccount(account: AccountInfo): AccountInfo {
  const copy = { ...account }
  // What an account has not must not come from a prototype of the page's.
  if (hasOwn(copy, 'ordinals') && copy.ordinals) copy.ordinals = { ...copy.ordinals }
  return copy
}

/**
 * Announces what changed for the page between two states, in the order in which handlers need it.
 * - The network differs: `networkChanged`, first, so that account handlers know what the address is for.
 * - No account, then one (the page connected, the wallet was unlocked, or an allowed account was chosen
 *   again): `connect`, then as a switch of account, because the exposed address is a new one.
 * - One account, then another: `accountChanged` and `accountsChanged` together.
 * - The same account, with another address for ordinals or none: `accountChanged` alone.
 * - One account, then none (locked, disconnected, or an account that has not allowed this page was
 *   chosen): `accountsChanged` with an empty list, then `disconnect`.
 */
export function announceChange(
  before: PageState,
  after: PageState,
  emit: (event: ProviderEvent, createPayload: () => unknown[]) => void,
): void {
  const old = before.account
  const account = after.account
  // A page without an account was given no network, so its first one is no change.
  if (before.network && after.network && before.network !== after.network) {
    emit('networkChanged', () => [after.network])
  }
  if (!account) {
    if (!old) return
    emit('accountsChanged', () => [[]])
    emit('disconnect', () => [])
    return
  }
  const isSame = old && old.address === account.address && old.publicKey === account.publicKey
  if (isSame && old.ordinals?.address === account.ordinals?.address) return
  if (!old) emit('connect', () => [copyAccount(account)])
  emit('accountChanged', () => [copyAccount(account)])
  if (!isSame) emit('accountsChanged', () => [[account.address]])
}

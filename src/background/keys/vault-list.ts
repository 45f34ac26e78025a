// The list of accounts: no two of them have an address in common.

import { isAmongAddresses, isSamePlace, type Place } from '../../bitcoin/derivation.ts'
import { KEY_SPACES } from '../../bitcoin/network.ts'
import { failure } from '../../provider/errors.ts'
import { chooseName, readName } from './names.ts'
import type { Side, VaultAccount } from './vault-secret.ts'
import { ordinalsPlaceOf } from './vault-seed.ts'

/**
 * Adds an account if no other has its address, under the name that a person typed for it, or empty. Throws ACCOUNT_EXISTS, and -32602
 * for the name.
 */
export function appendOne(accounts: VaultAccount[], added: VaultAccount): VaultAccount[] {
  refuseOther(findSame(accounts, added))
  const name = chooseName('account', added.name, accounts)
  return [...accounts, { ...added, name }]
}

/** Throws ACCOUNT_EXISTS where another account has an address already; `data` says which. */
export function refuseOther(other: VaultAccount | undefined): void {
  if (!other) return
  const data = { accountId: other.id, name: readName('account', other.name) }
  throw failure('ACCOUNT_EXISTS', 'Another account has this address.', { data })
}

/** The account that has an address of this one. */
export function findSame(accounts: readonly VaultAccount[], added: VaultAccount) {
  return accounts.find(
    other =>
      isAmong(added, other) ||
      KEY_SPACES.some(space => {
        const scripts = listScripts(other.sides[space])
        return listScripts(added.sides[space]).some(script => scripts.includes(script))
      }),
  )
}

function listScripts(side: Side | undefined): string[] {
  if (!side) return []
  return side.ordinals ? [side.scriptPubKey, side.ordinals.scriptPubKey] : [side.scriptPubKey]
}

/** Whether an address of an account is one of the many of another account of the phrase, which is not the first of both. */
export function isAmong(one: VaultAccount, other: VaultAccount): boolean {
  if (one.source !== 'seed' || other.source !== 'seed' || one.phrase !== other.phrase) return false
  const hasMany = other.sides.mainnet?.descriptor !== undefined
  const places = one.sides.mainnet?.ordinals ? [one, ordinalsPlaceOf(one)] : [one]
  const isLaterOne = (place: Place) => !isSamePlace(place, other) && isAmongAddresses(place, other)
  return hasMany && places.some(isLaterOne)
}

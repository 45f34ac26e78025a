// The list of accounts: no two of them have an address in common.

import { isAmongAddresses, isSamePlace, type Place } from '../../bitcoin/derivation.ts'
import { KEY_SPACES } from '../../bitcoin/network.ts'
import { accountExists } from './account-errors.ts'
import { nextAccountName } from './names.ts'
import type { Side, VaultAccount } from './vault-secret.ts'
import { ordinalsPlaceOf } from './vault-seed.ts'

/** Adds an account if no other has its address, under the name that it has or the next free one. */
export function appendOne(accounts: VaultAccount[], added: VaultAccount): VaultAccount[] {
  const other = findSame(accounts, added)
  if (other) throw accountExists(other.name)
  const name = added.name || nextAccountName(accounts.map(account => account.name))
  return [...accounts, { ...added, name }]
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

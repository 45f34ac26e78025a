// Putting accounts together: two accounts of a place that become one with an address for ordinals.

import { isSamePlace } from '../../bitcoin/derivation.ts'
import { KEY_SPACES, type KeySpace } from '../../bitcoin/network.ts'
import { noOrdinalsAddress } from './account-errors.ts'
import { isDevicePair } from './device-source.ts'
import { chooseName } from './names.ts'
import { requireAccount, withOrdinalsOf } from './vault-accounts.ts'
import {
  canHaveOrdinals,
  type OrdinalsSide,
  type VaultAccount,
  type VaultSecret,
} from './vault-secret.ts'
import { ordinalsPlaceOf } from './vault-seed.ts'

/**
 * Makes the Taproot account of a place, of the phrase or a device, the ordinals address of the SegWit account there, under a name that a
 * person gave, or empty. Throws NO_ORDINALS_ADDRESS for accounts that are no such pair, or where the Taproot one has many addresses.
 */
export function joinOrdinals(
  secret: VaultSecret,
  { accountId, ordinalsId, name: typed }: { accountId: string; ordinalsId: string; name: string },
): VaultSecret {
  const account = requireAccount(secret, accountId)
  const other = requireAccount(secret, ordinalsId)
  const isFree = KEY_SPACES.every(
    space => !account.sides[space]?.ordinals && other.sides[space]?.descriptor === undefined,
  )
  const source = isFree && joinSources(account, other)
  if (!source) throw noOrdinalsAddress()
  const name = chooseName('account', typed, secret.accounts, account)
  const hidden = account.hidden && other.hidden
  const joined = { ...withOrdinalsOf(source, pickOrdinals(other.sides)), name, hidden }
  return {
    ...secret,
    accounts: secret.accounts.flatMap(one =>
      one === other ? [] : [one === account ? joined : one],
    ),
  }
}

/** The account with the key of the other one as that of its ordinals; null where the two are no such pair. */
function joinSources(account: VaultAccount, other: VaultAccount): VaultAccount | null {
  if (account.source === 'seed' && other.source === 'seed') {
    const isPair =
      canHaveOrdinals(account) &&
      account.phrase === other.phrase &&
      isSamePlace(other, ordinalsPlaceOf(account))
    return isPair ? account : null
  }
  if (account.source !== 'device' || other.source !== 'device') return null
  if (!isDevicePair(account, other)) return null
  const { descriptor, derivationPath, phrase, inscribingSecret } = other
  return {
    ...account,
    ordinals: {
      ...{ descriptor, derivationPath },
      ...(phrase !== undefined && { phrase }),
      ...(inscribingSecret !== undefined && { inscribingSecret }),
    },
  }
}

function pickOrdinals(sides: VaultAccount['sides']): { [space in KeySpace]?: OrdinalsSide } {
  return Object.fromEntries(
    KEY_SPACES.flatMap(space => {
      const { scriptPubKey, publicKey } = sides[space] ?? {}
      return scriptPubKey && publicKey ? [[space, { scriptPubKey, publicKey }]] : []
    }),
  )
}

import type { AddressType } from '../../bitcoin/address.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import { deriveKey } from '../../bitcoin/derivation.ts'
import { keySpaceOf, type Network } from '../../bitcoin/network.ts'
import { BASE_KEY_PATH, deriveBaseKey } from '../../ordinals/inscriptions/inscribing-key.ts'
import { noInscribingSecret, UnknownAccountError } from './account-errors.ts'
import type { VaultSecret } from './vault.ts'
import { withSeed } from './vault-seed.ts'

/** Which account's keys of which network. */
export type KeyRequest = { accountId: string; network: Network }
/** Which of an account's keys on a device: Taproot may have been an account of its own before, which inscribed. */
export type TypedKeyRequest = KeyRequest & { ofType: AddressType }

/**
 * Hands out the key that stands in for that of a device's account in inscribing, and wipes it: from the phrase, so that this alone
 * gives it again, and from a secret of the vault where there is none.
 */
export async function withBaseKey<T>(
  { phrase, accounts }: VaultSecret,
  { accountId, network, ofType }: TypedKeyRequest,
  use: (keys: { baseKey: Uint8Array }) => T,
): Promise<T> {
  const account = accounts.find(({ id }) => id === accountId)
  const own = account?.sides[keySpaceOf(network)]
  if (account?.source !== 'device' || !own) throw new UnknownAccountError(accountId)
  const isApart = own.ordinals !== undefined && account.addressType !== ofType
  const side = isApart ? own.ordinals : own
  if (!side?.publicKey) throw new UnknownAccountError(accountId)
  const { inscribingSecret } = isApart ? (account.ordinals ?? {}) : account
  if (!phrase && inscribingSecret === undefined) throw noInscribingSecret()
  const material = phrase
    ? await withSeed(phrase, seed => deriveKey(seed, BASE_KEY_PATH).privateKey)
    : fromHex(inscribingSecret ?? '')
  const publicKey = fromHex(side.publicKey)
  try {
    const baseKey = deriveBaseKey(material, publicKey)
    try {
      return use({ baseKey })
    } finally {
      baseKey.fill(0)
    }
  } finally {
    material.fill(0)
  }
}

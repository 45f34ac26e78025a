import type { AddressType } from '../../bitcoin/address.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import { keySpaceOf, type Network } from '../../bitcoin/network.ts'
import { deriveBaseKey } from '../../ordinals/inscriptions/inscribing-key.ts'
import { noInscribingSecret, UnknownAccountError } from './account-errors.ts'
import type { VaultSecret } from './vault.ts'
import { deriveInscribingSecret, requirePhrase } from './vault-phrases.ts'

/** Which account's keys of which network. */
export type KeyRequest = { accountId: string; network: Network }
/** Which of an account's keys on a device: Taproot may have been an account of its own before, which inscribed. */
export type TypedKeyRequest = KeyRequest & { ofType: AddressType }

/**
 * Hands out the key that stands in for that of a device's account in inscribing, and wipes it: from the account's phrase, so that this
 * alone gives it again, and from a secret of the vault where it has none.
 */
export async function withBaseKey<T>(
  secret: VaultSecret,
  { accountId, network, ofType }: TypedKeyRequest,
  use: (keys: { baseKey: Uint8Array }) => T,
): Promise<T> {
  const account = secret.accounts.find(({ id }) => id === accountId)
  const own = account?.sides[keySpaceOf(network)]
  if (account?.source !== 'device' || !own) throw new UnknownAccountError(accountId)
  const isApart = own.ordinals !== undefined && account.addressType !== ofType
  const side = isApart ? own.ordinals : own
  if (!side?.publicKey) throw new UnknownAccountError(accountId)
  const { phrase, inscribingSecret } = isApart ? (account.ordinals ?? {}) : account
  if (phrase === undefined && inscribingSecret === undefined) throw noInscribingSecret()
  const material = fromHex(
    phrase === undefined
      ? (inscribingSecret ?? '')
      : await deriveInscribingSecret(requirePhrase(secret, phrase)),
  )
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

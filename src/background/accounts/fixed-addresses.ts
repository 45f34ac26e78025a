import { type AddressType, parseAddress, scriptPubKeyOf } from '../../bitcoin/address.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import type { DescriptorPlace } from '../../bitcoin/descriptors/descriptor-output.ts'
import type { KeyOrigin } from '../../bitcoin/key-origin.ts'
import type { Network } from '../../bitcoin/network.ts'
import { originOf } from '../keys/signing-device.ts'
import { ORDINALS_PLACE } from '../keys/vault-secret.ts'
import type { AccountView, SigningAccountView } from '../views/account-views.ts'

/** An address of an account, by branch (0 for receiving, 1 for change, 2 for ordinals) and index. */
export type AccountAddress = DescriptorPlace & {
  address: string
  /** Null for a script that no account can have. */
  addressType: AddressType | null
  scriptPubKey: Uint8Array
  /** 33 bytes; null for an address that is only watched. */
  publicKey: Uint8Array | null
  /** Where its key comes from; null for the phrase's where the account has one address of the type. */
  origin: KeyOrigin | null
}

/** The account's first address, which is its only one where it does not have many. */
export function firstAddress(account: AccountView, network: Network): AccountAddress {
  const { address, publicKey, addressType } = account
  const scriptPubKey =
    publicKey === null
      ? parseAddress(address, network).scriptPubKey
      : scriptPubKeyOf(fromHex(publicKey), addressType)
  const key = publicKey === null ? null : fromHex(publicKey)
  const place = { branch: 0, index: 0 }
  const origin = account.source === 'device' ? originOf(account, account.derivationPath) : null
  return { ...place, address, addressType, scriptPubKey, publicKey: key, origin }
}

/** The Taproot address that is for ordinals; none where the first one is for everything. */
export function listOrdinals(account: AccountView): AccountAddress[] {
  const { ordinals } = account
  if (!ordinals) return []
  const publicKey = fromHex(ordinals.publicKey)
  const scriptPubKey = scriptPubKeyOf(publicKey, 'p2tr')
  const { address } = ordinals
  const known = { address, addressType: 'p2tr', scriptPubKey, publicKey } as const
  const origin = account.source === 'device' ? originOf(account, ordinals.derivationPath) : null
  return [{ ...ORDINALS_PLACE, ...known, origin }]
}

/** The addresses that sites see, and that never change: the first one, and that for ordinals where there is one. */
export function listFixedAddresses(account: AccountView, network: Network): AccountAddress[] {
  return [firstAddress(account, network), ...listOrdinals(account)]
}

/** The account as sites see it: with these addresses alone, what is on them and nothing else. */
export function withFixedAddresses(account: SigningAccountView): SigningAccountView {
  return { ...account, descriptor: null }
}

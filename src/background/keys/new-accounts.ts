// New accounts: what the vault seals of an account that comes from elsewhere than the phrase.

import { type AddressType, parseAddress } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { keySpaceOf, type Network } from '../../bitcoin/network.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { parseWif } from '../../bitcoin/wif.ts'
import { readDevice, readDeviceOrdinals } from './device-source.ts'
import { readMultisig } from './multisig-source.ts'
import type { DeviceSource, VaultAccount } from './vault-secret.ts'
import { toOrdinalsSide, toSide } from './vault-seed.ts'

/** An empty name stands for the next free one. */
export type NewKey = { wif: string; addressType: AddressType; name: string; network: Network }
/** `ordinals` is the descriptor of a Taproot key of the same device and account number, null for none. */
export type NewDevice = {
  descriptor: string
  ordinals: string | null
  name: string
  network: Network
}
export type NewMultisig = { descriptor: string; name: string; network: Network }
export type NewAddress = { address: string; name: string; network: Network }

export function createKeyAccount(
  id: string,
  { wif, addressType, name, network }: NewKey,
): VaultAccount {
  const privateKey = parseWif(wif, network)
  try {
    const sides = { [keySpaceOf(network)]: toSide(publicKeyOf(privateKey), addressType) }
    const source = { source: 'key', addressType, privateKey: toHex(privateKey) } as const
    return { id, name, hidden: false, sides, ...source }
  } finally {
    privateKey.fill(0)
  }
}

/** `inscribing` is what its inscribings follow from. Throws InvalidDescriptorError, and -32602 that names `ordinals`. */
export function createDeviceAccount(
  id: string,
  { descriptor, ordinals, name, network }: NewDevice,
  inscribing: Pick<DeviceSource, 'phrase' | 'inscribingSecret'>,
): VaultAccount {
  const { publicKey, ...source } = readDevice(descriptor, network)
  const second = ordinals === null ? null : readDeviceOrdinals(ordinals, network, source)
  const side = {
    ...toSide(publicKey, source.addressType),
    descriptor: source.descriptor,
    ...(second && { ordinals: toOrdinalsSide(second.publicKey) }),
  }
  const known = second && { descriptor: second.descriptor, derivationPath: second.derivationPath }
  return {
    ...{ id, name, hidden: false, sides: { [keySpaceOf(network)]: side }, ...source },
    ...inscribing,
    ...(known && { ordinals: known }),
  }
}

export function createMultisigAccount(
  id: string,
  { descriptor, name, network }: NewMultisig,
): VaultAccount {
  const read = readMultisig(descriptor, network)
  const { source, descriptor: written } = read
  const side = { scriptPubKey: toHex(read.scriptPubKey), publicKey: null, descriptor: written }
  const sides = { [keySpaceOf(network)]: side }
  return { id, name, hidden: false, sides, source, descriptor: written }
}

export function createWatchAccount(
  id: string,
  { address, name, network }: NewAddress,
): VaultAccount {
  const scriptPubKey = toHex(parseAddress(address, network).scriptPubKey)
  const sides = { [keySpaceOf(network)]: { scriptPubKey, publicKey: null } }
  return { id, name, hidden: false, sides, source: 'watch' }
}

import type { AddressType } from '../../../bitcoin/address.ts'
import type { Network } from '../../../bitcoin/network.ts'
import { words } from '../../platform/words.ts'

/** What people call the networks and the kinds of addresses: proper names, the same in every language. */
export const NETWORK_NAMES: { [network in Network]: string } = {
  mainnet: 'Mainnet',
  testnet4: 'Testnet4',
  signet: 'Signet',
  regtest: 'Regtest',
}

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
export function nameAccountTypes({
  addressType,
  ordinals,
}: {
  addressType: AddressType | null
  ordinals: object | null
}): string {
  const name = nameAddressType(addressType)
  return ordinals ? `${name} + ${ADDRESS_TYPE_NAMES.p2tr}` : name
}

/** Every screen names the network; test networks stand out, because their coins are worth nothing. */
export function isTestNetwork(network: Network): boolean {
  return network !== 'mainnet'
}

/** Host and port of a server's address, or the text where it is none. */
export function nameHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

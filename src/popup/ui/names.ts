import type { AddressType } from '../../bitcoin/address.ts'
import type { Network } from '../../bitcoin/network.ts'

/** What people call the networks and the kinds of addresses. */
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

/** Every screen names the network; test networks stand out, because their coins are worth nothing. */
export function isTestNetwork(network: Network): boolean {
  return network !== 'mainnet'
}

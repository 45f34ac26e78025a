import * as networks from 'bitcoinjs-lib/src/networks'

/** The chains that Satchel speaks to. */
export type Network = 'mainnet' | 'testnet4' | 'signet' | 'regtest'

export const NETWORKS: readonly Network[] = ['mainnet', 'testnet4', 'signet', 'regtest']

/** Address prefixes and key versions of a network; testnet4 and signet share testnet's. */
export function bitcoinjsNetwork(network: Network): networks.Network {
  if (network === 'mainnet') return networks.bitcoin
  return network === 'regtest' ? networks.regtest : networks.testnet
}

/** What a key or script belongs to: mainnet, or all test networks, which share their keys and paths. */
export type KeySpace = 'mainnet' | 'test'

export const KEY_SPACES: readonly KeySpace[] = ['mainnet', 'test']

export function keySpaceOf(network: Network): KeySpace {
  return network === 'mainnet' ? 'mainnet' : 'test'
}

/** The coin type of BIP-44 paths: 0 for mainnet, 1 for every test network. */
export function coinType(space: KeySpace): 0 | 1 {
  return space === 'mainnet' ? 0 : 1
}

export function isNetwork(value: unknown): value is Network {
  return NETWORKS.some(network => network === value)
}

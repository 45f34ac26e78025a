import type { Network } from '../bitcoin/network.ts'
import { invalidParams } from './errors.ts'

/** What is read of the parameters of the calls that every page begins with: the background starts with it, and with no more of them. */

/** The words that pages know networks by; the wallet has no other test network than these. */
export const NETWORK_WORDS = new Map<unknown, Network>([
  ['livenet', 'mainnet'],
  ['mainnet', 'mainnet'],
  ['testnet4', 'testnet4'],
  ['testnet', 'testnet4'],
  ['signet', 'signet'],
  ['regtest', 'regtest'],
])

/** A network by one of {@link NETWORK_WORDS}. */
export function parseNetwork(field: string, value: unknown): Network {
  const network = NETWORK_WORDS.get(value)
  if (!network) {
    throw invalidParams(field, value, `one of ${[...NETWORK_WORDS.keys()].join(', ')}`)
  }
  return network
}

/** Arguments to an operation that takes none are ignored, as other wallets do. */
export function parseNothing(): null {
  return null
}

import type { GivenName } from '../../../background/views/account-views.ts'
import type { Network } from '../../../bitcoin/network.ts'
import { words } from '../../platform/words.ts'

/**
 * What an account or a wallet is called, in the language in use where nobody named it. Around the number is no mark that keeps its order,
 * as names go into files and fields too.
 */
export function sayName(name: GivenName): string {
  if (typeof name === 'string') return name
  const text = words(name.unnamed === 'wallet' ? 'walletUnnamed' : 'accountUnnamed')
  return text.replace('{number}', `${name.number}`)
}

/** What people call the networks: proper names, the same in every language. */
export const NETWORK_NAMES: { [network in Network]: string } = {
  mainnet: 'Mainnet',
  testnet4: 'Testnet4',
  signet: 'Signet',
  regtest: 'Regtest',
}

/** Every screen names the network; test networks stand out, because their coins are worth nothing. */
export function isTestNetwork(network: Network): boolean {
  return network !== 'mainnet'
}

/** Host and port of a server's address, or the text where it is none. */
export function nameHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

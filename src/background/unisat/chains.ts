import { invalidParams } from '../../provider/errors.ts'
import { SATS_CONNECT_NETWORKS } from '../../provider/sats-connect-names.ts'
import type { Call, Translation } from '../requests/translation.ts'

/** A network in UniSat's words; `network` tells what addresses look like. */
export type Chain = { enum: string; name: string; network: 'livenet' | 'testnet' }

/** By the word that `getNetwork` and `switchNetwork` of ours have for it. */
const CHAINS: ReadonlyMap<string, Chain> = new Map(
  Object.entries(SATS_CONNECT_NETWORKS).map(([word, name]) => [
    word,
    {
      enum: `BITCOIN_${name.toUpperCase()}`,
      name: `Bitcoin ${name}`,
      network: word === 'livenet' ? 'livenet' : 'testnet',
    },
  ]),
)

export const getChain: Translation = async ({ call }) => chainOf(await call('getNetwork'))

/**
 * Connects where the page is not connected, as some clients choose the network before they do, and resolves the chain that
 * is in use then. UniSat's `BITCOIN_TESTNET` is testnet3, which the wallet does not have.
 */
export const switchChain: Translation = async ({ call }, [chain]) => {
  const word = [...CHAINS].find(([, known]) => known.enum === chain)?.[0]
  if (word === undefined) {
    const known = [...CHAINS.values()].map(each => each.enum)
    throw invalidParams('chain', chain, `one of ${known.join(', ')}`)
  }
  if ((await call('getNetwork')) !== word) await switchTo(call, word)
  return chainOf(word)
}

/** Of test networks UniSat has but one word. */
export const getNetwork: Translation = async ({ call }) => chainOf(await call('getNetwork')).network

/** The same; asks nobody where the network in use goes by that word already. */
export const switchNetwork: Translation = async ({ call }, [network]) => {
  const wanted = network === 'mainnet' ? 'livenet' : network
  if (wanted !== 'livenet' && wanted !== 'testnet')
    throw invalidParams('network', network, 'livenet or testnet')
  if (chainOf(await call('getNetwork')).network === wanted) return wanted
  await switchTo(call, wanted)
  return wanted
}

async function switchTo(call: Call, word: string): Promise<void> {
  await call('connect')
  await call('switchNetwork', word)
}

function chainOf(word: string): Chain {
  const chain = CHAINS.get(word)
  if (!chain) throw new Error(`No network ${word}`)
  return chain
}

import { invalidParams } from '../../provider/errors.ts'
import { SATS_CONNECT_NETWORKS } from '../../provider/sats-connect-names.ts'

const NAME_OF_WORD: ReadonlyMap<string, string> = new Map(Object.entries(SATS_CONNECT_NETWORKS))
const WORD_OF_NAME: ReadonlyMap<unknown, string> = new Map(
  [...NAME_OF_WORD].map(([word, name]) => [name, word]),
)

/** The network in the words of sats-connect, which wants to hear of Stacks and Spark even where there is neither. */
export type NetworkNames = {
  bitcoin: { name: string }
  stacks: { name: 'mainnet' | 'testnet' }
  spark: { name: 'mainnet' | 'regtest' }
}

/** From the word that `getNetwork` resolves. */
export function describeNetwork(word: string): NetworkNames {
  const name = NAME_OF_WORD.get(word)
  if (name === undefined) throw new Error(`No network ${word}`)
  const isMain = name === SATS_CONNECT_NETWORKS.livenet
  return {
    bitcoin: { name },
    stacks: { name: isMain ? 'mainnet' : 'testnet' },
    spark: { name: isMain ? 'mainnet' : 'regtest' },
  }
}

/** The word that `getNetwork` and `switchNetwork` have for a network, from its name in sats-connect. */
export function parseNetworkName(field: string, value: unknown): string {
  const word = WORD_OF_NAME.get(value)
  if (word !== undefined) return word
  throw invalidParams(field, value, `one of ${[...WORD_OF_NAME.keys()].join(', ')}`)
}

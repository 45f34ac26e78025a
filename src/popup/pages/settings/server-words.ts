import type { ServerKind, ServerState } from '../../../background/views/settings-views.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { currentLanguage, type WordKey, words } from '../../platform/words.ts'

/** Name of a kind of server, and what it is for and learns. */
export const KIND_WORDS: { [kind in ServerKind]: { name: WordKey; note: WordKey } } = {
  chain: { name: 'serversChain', note: 'serversChainNote' },
  secondChain: { name: 'serversSecond', note: 'serversSecondNote' },
  assets: { name: 'serversAssets', note: 'serversAssetsNote' },
  secondAssets: { name: 'serversSecondAssets', note: 'serversSecondAssetsNote' },
  brc20: { name: 'serversBrc20', note: 'serversBrc20Note' },
  atomicals: { name: 'serversAtomicals', note: 'serversAtomicalsNote' },
  fees: { name: 'serversFees', note: 'serversFeesNote' },
  price: { name: 'serversPrice', note: 'serversPriceNote' },
  names: { name: 'serversNames', note: 'serversNamesNote' },
}

/** What counts where none is set. */
export const UNSET_WORDS: { [kind in ServerKind]: WordKey } = {
  chain: 'serversNotSet',
  secondChain: 'serversNotSet',
  assets: 'serversNoAssets',
  secondAssets: 'serversNotSet',
  brc20: 'serversNoBrc20',
  atomicals: 'serversNoAtomicals',
  fees: 'serversFromChain',
  price: 'serversFromChain',
  names: 'serversNoNames',
}

/** What it means for the person that an index is in a bad state. */
const ASSETS_STATE_WORDS: StateWords = {
  synced: null,
  behind: 'serversAssetsBehind',
  unreachable: 'serversAssetsUnreachable',
  'wrong-network': 'serversAssetsUnreachable',
}

const BRC20_STATE_WORDS: StateWords = {
  synced: null,
  behind: 'serversBrc20Behind',
  unreachable: 'serversBrc20Unreachable',
  'wrong-network': 'serversBrc20Unreachable',
}

type StateWords = { [state in ServerState['state']]: WordKey | null }

/** What a state of an index means; nothing is said of other servers. */
export const MEANINGS: { [kind in ServerKind]?: StateWords } = {
  assets: ASSETS_STATE_WORDS,
  secondAssets: ASSETS_STATE_WORDS,
  brc20: BRC20_STATE_WORDS,
  atomicals: ASSETS_STATE_WORDS,
}

/** What storing a server comes to that does not answer. */
export const ANYWAY_WORDS: { [kind in ServerKind]?: WordKey } = {
  assets: 'serversAnywayAssetsNote',
  secondAssets: 'serversAnywayAssetsNote',
  brc20: 'serversAnywayBrc20Note',
  atomicals: 'serversAnywayAssetsNote',
  names: 'serversAnywayNamesNote',
}

export const STATE_WORDS: { [state in ServerState['state']]: WordKey } = {
  synced: 'serversSynced',
  behind: 'serversBehind',
  unreachable: 'serversUnreachable',
  'wrong-network': 'serversWrongNetwork',
}

/** "Block 812,345 · 120 ms"; what is not known is left out. */
export function describeAnswer(answer: {
  height: number | null
  latencyMs: number | null
}): string {
  const parts = []
  if (answer.height !== null) {
    parts.push(words('serversBlock', { height: answer.height.toLocaleString(currentLanguage()) }))
  }
  if (answer.latencyMs !== null) parts.push(`${Math.round(answer.latencyMs)}\u00a0ms`)
  return joinFacts(parts)
}

/** Whether a server runs on this computer. */
export function isLocal(url: string): boolean {
  return ['127.0.0.1', 'localhost'].includes(new URL(url).hostname)
}

/** Whether this can be a server's address: https, or http on this computer. */
export function isServerAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && isLocal(text))
}

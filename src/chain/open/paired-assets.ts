import type { CoinAssets } from '../../ordinals/asset.ts'
import type { AssetSource } from '../asset-source.ts'
import { BackendUnavailableError } from '../chain-source.ts'
import { CONTRADICTED, joinAnswers, settleBoth, uniteAnswers } from './asset-answers.ts'

/**
 * Two indexes as one, so that neither alone can make a coin clean.
 * - A coin is clean only if both say so. What either names is there; where the other calls the coin clean, that is `contradicted`.
 * - Where one gives no answer, what the other names still counts, and nothing is clean.
 * - Inscriptions are placed where both place them: one that they place differently is left out, as is a rune to which they give
 *   different ids. Content, and what only one of them knows, comes from that one.
 */
export function createPairedAssets(first: AssetSource, second: AssetSource): AssetSource {
  return {
    network: first.network,
    /** The lower one: further than that, they have not both got. */
    async fetchTip() {
      const [tip, other] = await Promise.all([first.fetchTip(), second.fetchTip()])
      return tip.height < other.height ? tip : other
    },
    async fetchAssets(coins) {
      const [answers, others] = await askBoth(source => source.fetchAssets(coins))
      return joinAnswers(coins, answers, others, agree)
    },
    async fetchInscriptions(ids) {
      const [answers, others] = await askBoth(source => source.fetchInscriptions(ids))
      const all = new Map([...(others ?? []), ...(answers ?? [])])
      for (const [id, { satpoint }] of all) {
        const other = others?.get(id)?.satpoint ?? satpoint
        if (other.outpoint !== satpoint.outpoint || other.offset !== satpoint.offset) all.delete(id)
      }
      return all
    },
    fetchContent: (id, maxBytes) => askInTurn(source => source.fetchContent(id, maxBytes)),
    /** Null where they do not both tell of the same etching. */
    async fetchRune(asked) {
      const [rune, other] = await askBoth(source => source.fetchRune(asked))
      const isSame = rune?.id === other?.id && rune?.name === other?.name
      if (rune && other && !isSame) return null
      return rune ?? other
    },
  }

  function askBoth<T>(ask: (source: AssetSource) => Promise<T>): Promise<[T | null, T | null]> {
    return settleBoth(ask(first), ask(second))
  }

  /** The second one's answer where the first has none. */
  async function askInTurn<T>(ask: (source: AssetSource) => Promise<T | null>): Promise<T | null> {
    const answer = await ask(first).catch(cause => {
      if (cause instanceof BackendUnavailableError) return cause
      throw cause
    })
    if (!(answer instanceof BackendUnavailableError) && answer !== null) return answer
    return ask(second).catch(cause => {
      throw answer ?? cause
    })
  }
}

/** Both index the same protocols, so what one finds the other has to find too. */
function agree(answer: CoinAssets, other: CoinAssets): CoinAssets {
  const isNamed = (one: { assets: readonly unknown[] }) => one.assets.length > 0
  const differ = answer.known && other.known && isNamed(answer) !== isNamed(other)
  return differ ? CONTRADICTED : uniteAnswers(answer, other)
}

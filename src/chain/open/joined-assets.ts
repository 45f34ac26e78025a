import type { AssetSource } from '../asset-source.ts'
import type { AtomicalsSource } from '../atomicals-source.ts'
import { joinAnswers, settleBoth, uniteAnswers } from './asset-answers.ts'

/**
 * An index of inscriptions and runes, and one of Atomicals, as one: each knows what the other does not.
 * - A coin is clean only if both say so. What either names is there.
 * - Where one gives no answer, what the other names still counts, and nothing is clean.
 * - Whatever is not about coins is asked of the first.
 */
export function createJoinedAssets(assets: AssetSource, atomicals: AtomicalsSource): AssetSource {
  return {
    ...assets,
    /** The lower one: further than that, not everything is known. */
    async fetchTip() {
      const [tip, other] = await Promise.all([assets.fetchTip(), atomicals.fetchTip()])
      return tip.height < other.height ? tip : other
    },
    async fetchAssets(coins) {
      const [answers, others] = await settleBoth(
        assets.fetchAssets(coins),
        atomicals.fetchAtomicals(coins),
      )
      return joinAnswers(coins, answers, others, uniteAnswers)
    },
  }
}

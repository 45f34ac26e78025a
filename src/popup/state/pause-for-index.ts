import type { UncheckedReason } from '../../background/views/asset-views.ts'

const AGAIN_MS = 10_000

/**
 * Milliseconds until an index is to be asked again about coins of which nobody knows what sits on them; null for news. One
 * that was away, behind, or not believed tells nobody when it has found its way back.
 */
export function pauseForIndex(why: UncheckedReason | null): number | null {
  return why === 'unanswered' || why === 'behind' || why === 'contradicted' ? AGAIN_MS : null
}

/** The same, of a list of coins. */
export function pauseForCoins(
  coins: readonly { unchecked: UncheckedReason | null }[],
): number | null {
  return coins.reduce<number | null>((pause, coin) => pause ?? pauseForIndex(coin.unchecked), null)
}

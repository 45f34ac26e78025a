import type { UncheckedReason } from '../../background/views/asset-views.ts'

const AGAIN_MS = 10_000

/**
 * Milliseconds until an index is asked again about coins whose assets are unknown; null to wait for news. An index that was
 * unreachable, behind or contradicted does not announce when it works again.
 */
export function pauseForIndex(why: UncheckedReason | null): number | null {
  return why === 'unanswered' || why === 'behind' || why === 'contradicted' ? AGAIN_MS : null
}

/** The same for a list of coins: the first pause that any of them needs. */
export function pauseForCoins(
  coins: readonly { unchecked: UncheckedReason | null }[],
): number | null {
  return coins.reduce<number | null>((pause, coin) => pause ?? pauseForIndex(coin.unchecked), null)
}

import type { DescriptorPlace } from '../../bitcoin/descriptors/descriptor-output.ts'
import { GAP_LIMIT } from './address-discovery.ts'

/**
 * How far the addresses of an account are used: `used` is, by branch, how many there are up to the last that was; `shown` is the
 * index of the one that the person gives out.
 */
export type AddressUse = { used: [number, number]; shown: number }

/** The first address is the one that sites see; others are given out from the next on. */
export const FIRST_SHOWN = 1

/** The index of the first address of a branch that nothing was paid to, and that was not given out. */
export function firstUnused({ used, shown }: AddressUse, branch: 0 | 1): number {
  return branch === 1 ? used[1] : Math.max(used[0], shown + 1)
}

export function indexToShow({ used, shown }: AddressUse): number {
  return Math.max(used[0], shown, FIRST_SHOWN)
}

/** Other wallets with the same key, and this one restored, look no further than so many unused ones in a row. */
export function hasNext(use: AddressUse): boolean {
  return indexToShow(use) + 1 < use.used[0] + GAP_LIMIT
}

/** What is known to be used never becomes less. */
export function advance(use: AddressUse, [receive, change]: readonly [number, number]): AddressUse {
  const used: [number, number] = [Math.max(use.used[0], receive), Math.max(use.used[1], change)]
  return { used, shown: Math.max(use.shown, used[0]) }
}

export function countUsed(places: readonly DescriptorPlace[], branch: number): number {
  return places.reduce(
    (most, one) => (one.branch === branch ? Math.max(most, one.index + 1) : most),
    0,
  )
}

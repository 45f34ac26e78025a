import type { DescriptorPlace } from '../../bitcoin/descriptors/descriptor-output.ts'
import { GAP_LIMIT } from './address-discovery.ts'

/**
 * How far the addresses of an account are used: `used` is, by branch, how many there are up to the last that was; `shown` is the
 * index of the one that the person gives out.
 */
export type AddressUse = { used: [number, number]; shown: number }

/** The first address is the one that sites see; others are given out from the next on. */
const FIRST_SHOWN = 1

/**
 * Indexes of the addresses that change may go to, best first: those that nothing was paid to and that were not given out, as far as
 * other wallets look beyond the last that the chain has (`seen` of them up to that one). Where as many were given out, or signed for in
 * vain, the last of these: change that nobody finds again would be worse.
 */
export function listFreeForChange(
  { used, shown }: AddressUse,
  branch: 0 | 1,
  seen: number = used[branch],
): number[] {
  const end = seen + GAP_LIMIT
  const unused = branch === 1 ? used[1] : Math.max(used[0], shown + 1)
  const first = Math.min(unused, end - 1)
  return Array.from({ length: end - first }, (_, at) => first + at)
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

/** More than any account has: what is stored and is more was not written by the wallet. */
const MOST_USED = 100_000

/** What is stored; anything else counts as nothing used. */
export function parseUse(stored: unknown): AddressUse {
  const { used, shown } = Object(stored)
  const isCount = (value: unknown): value is number =>
    Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MOST_USED
  if (Array.isArray(used) && used.length === 2 && used.every(isCount) && isCount(shown))
    return { used: [used[0] ?? 0, used[1] ?? 0], shown }
  return { used: [0, 0], shown: FIRST_SHOWN }
}

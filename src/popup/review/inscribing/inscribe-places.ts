import type { Brc20Effect } from '../../../background/views/brc20-views.ts'
import type { InscribeItemView, InscribeReview } from '../../../background/views/inscribe-views.ts'
import { joinList } from '../../platform/join-words.ts'
import { words } from '../../platform/words.ts'

/** An item and its place in the whole batch, from 1. */
export type PlacedItem = { place: number; item: InscribeItemView }

/** One that is a BRC-20 operation. */
export type TokenItem = PlacedItem & { item: { brc20: Brc20Effect } }

export function isToken(placed: PlacedItem): placed is TokenItem {
  return placed.item.brc20 !== null
}

export function placeItems(items: readonly InscribeItemView[]): PlacedItem[] {
  return items.map((item, at) => ({ place: at + 1, item }))
}

/** Outputs of the reveals that keep the postage: one an inscription, and one for a premine. None where nothing is inscribed, which has no postage. */
export function countOwnOutputs({
  cost,
  totalFee,
  postage,
}: Pick<InscribeReview, 'cost' | 'totalFee' | 'postage'>): number {
  if (BigInt(postage) === 0n) return 0
  return Number((BigInt(cost) - BigInt(totalFee)) / BigInt(postage))
}

/** "#1 to #3, #7": places in rising order, those that follow each other as one. */
export function namePlaces(places: readonly number[]): string {
  const runs: { first: number; last: number }[] = []
  for (const place of places) {
    const run = runs.at(-1)
    if (run?.last === place - 1) run.last = place
    else runs.push({ first: place, last: place })
  }
  return joinList(runs.map(nameRun))
}

function nameRun({ first, last }: { first: number; last: number }): string {
  if (first === last) return words('psbtPlace', { index: first })
  return words('psbtPlaces', { first, last })
}

import { joinList } from '../platform/join-words.ts'
import { countWords, type PluralKey, words } from '../platform/words.ts'

/** "Inputs #0, #4 and 17 more": at most eight are listed. */
export function nameIndexes(stem: PluralKey, indexes: readonly number[]): string {
  return countWords(stem, indexes.length, { list: listIndexes(indexes) })
}

/** The places alone: "#0, #4 and 17 more". */
export function listIndexes(indexes: readonly number[]): string {
  const listed = indexes.slice(0, 8).map(index => words('psbtPlace', { index }))
  const list = joinList(listed)
  const rest = indexes.length - listed.length
  return rest === 0 ? list : words('psbtListMore', { list, count: rest })
}

/** Transactions of a batch as people count them, from 1. */
export function placesOfItems(items: readonly number[]): number[] {
  return items.map(item => item + 1)
}

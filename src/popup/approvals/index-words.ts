import { countWords, type PluralKey, words } from '../words.ts'

/** "Inputs #0, #4 and 17 more": at most eight are listed. */
export function nameIndexes(stem: PluralKey, indexes: readonly number[]): string {
  const listed = indexes.slice(0, 8).map(index => words('psbtPlace', { index }))
  const list = listed.join(', ')
  const rest = indexes.length - listed.length
  return countWords(stem, indexes.length, {
    list: rest === 0 ? list : words('psbtListMore', { list, count: rest }),
  })
}

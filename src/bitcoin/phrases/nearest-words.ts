/** No two words of BIP-39's English list begin with the same four letters. */
const PREFIX = 4

/** What a mistyped word is taken to differ by at most. */
const MOST_EDITS = 2

const MOST_WORDS = 3

/**
 * Up to three words of a list that a mistyped one may stand for, the likeliest first: the one with the same first four letters, then
 * those that differ by the fewest letters (left out, added, other ones, or two neighbours swapped), at most two.
 */
export function findNearestWords(typed: string, list: readonly string[]): string[] {
  const candidates = list.flatMap((word, at) => {
    const isPrefixed = typed.length >= PREFIX && word.slice(0, PREFIX) === typed.slice(0, PREFIX)
    const edits = countEdits(typed, word)
    const isNear = edits <= MOST_EDITS && edits < Math.min(typed.length, word.length)
    return isPrefixed || isNear
      ? [{ word, at, rank: isPrefixed ? 0 : edits, start: countSame(typed, word) }]
      : []
  })
  return candidates
    .sort((a, b) => a.rank - b.rank || b.start - a.start || a.at - b.at)
    .slice(0, MOST_WORDS)
    .map(({ word }) => word)
}

/** How many letters two words have in common at their start. */
function countSame(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}

/** Least number of edits from one word to the other (optimal string alignment); one more than the most allowed where it is more. */
export function countEdits(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MOST_EDITS) return MOST_EDITS + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwap =
        row > 1 &&
        column > 1 &&
        one[row - 1] === other[column - 2] &&
        one[row - 2] === other[column - 1]
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = next
  }
  return Math.min(last[other.length] ?? 0, MOST_EDITS + 1)
}

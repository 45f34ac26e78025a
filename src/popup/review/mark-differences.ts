/**
 * For each character of two addresses, whether it differs from the other's: place by place where they are of one
 * length; else all between what they share at the start and at the end.
 */
export function markDifferences(a: string, b: string): [boolean[], boolean[]] {
  const marks = (text: string, other: string) =>
    a.length === b.length
      ? [...text].map((character, index) => character !== other[index])
      : [...text].map((_, index) => index >= start && index < text.length - end)
  const least = Math.min(a.length, b.length)
  const start = countWhile(least, index => a[index] === b[index])
  const end = countWhile(least - start, index => a.at(-1 - index) === b.at(-1 - index))
  return [marks(a, b), marks(b, a)]
}

function countWhile(limit: number, holds: (index: number) => boolean): number {
  let count = 0
  while (count < limit && holds(count)) count += 1
  return count
}

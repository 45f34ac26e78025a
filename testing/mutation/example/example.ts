/** What the test of the mutation command mutates: each line's mutants can be counted by hand. */
export function capRate(rate: number): number {
  return rate > 10 ? 10 : rate
}

export function sum(numbers: readonly number[]): number {
  let total = 0
  for (let at = 0; at < numbers.length; at++) total += numbers[at] ?? 0
  return total
}

export function isEven(number: number): boolean {
  return number % 2 === 0
}

const BASE = 1 + 1

export function double(number: number): number {
  return BASE * number
}

const small: number[] = []

/** What a mutant keeps here makes the test fail without it, too. */
export function countSmall(number: number): number {
  if (number < 10) small.push(number)
  return small.length
}

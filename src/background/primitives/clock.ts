/** The time as `Date.now` gives it, in milliseconds; a part of its own so that tests can set it. */
export type Clock = { now(): number }

/** Whether something of `at` is younger than that. What is of later than now is of no known age, as the clock was set back since. */
export function isYounger(at: number, ms: number, now: number): boolean {
  return at <= now && now - at < ms
}

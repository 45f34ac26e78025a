/** The time as `Date.now` gives it, in milliseconds; a part of its own so that tests can set it. */
export type Clock = { now(): number }

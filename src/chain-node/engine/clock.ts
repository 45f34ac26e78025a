import { setImmediate } from 'node:timers/promises'

/** Ends executions that take too long, and lets others run between: steps are counted, and the time is looked at seldom. */
export interface Clock {
  /** Steps until `tick` is due. */
  steps: number
  /** Sets `steps` anew. Throws `TimeLimitError` where the time is over. */
  tick(): Promise<void>
  /** Begins anew.
   *  @param limit - in milliseconds, null for none */
  start(limit: number | null): void
}

/** The time of an execution is over. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'
}

/** Some milliseconds. */
const STEPS_BETWEEN_LOOKS = 5_000
/** Milliseconds for which others wait at most, but for a single step. */
const LONGEST_WAIT = 10

export function createClock(): Clock {
  let end = Number.POSITIVE_INFINITY
  let lastPause = performance.now()

  const clock: Clock = {
    steps: STEPS_BETWEEN_LOOKS,
    async tick() {
      clock.steps = STEPS_BETWEEN_LOOKS
      const now = performance.now()
      if (now > end) throw new TimeLimitError('the time of the execution is over')
      if (now - lastPause < LONGEST_WAIT) return
      await setImmediate()
      lastPause = performance.now()
    },
    start(limit) {
      lastPause = performance.now()
      end = limit === null ? Number.POSITIVE_INFINITY : lastPause + limit
      clock.steps = STEPS_BETWEEN_LOOKS
    },
  }
  return clock
}

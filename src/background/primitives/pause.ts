import { withTimeout } from './timeout.ts'

/** How long work that pauses waits where others always have something to do: they cannot keep it from ending. */
const MOST_MS = 20

/**
 * A pause in long work, in which messages, timers and answers of servers have their turn. `scheduler.yield()` would not do: Chromium
 * goes on behind it before any of them.
 */
export function letOthersRun(): Promise<void> {
  const scheduler: Scheduler | undefined = globalThis.scheduler
  // Not in Firefox before 142.
  if (!scheduler) return new Promise(resolve => setTimeout(resolve))
  return withTimeout(
    MOST_MS,
    scheduler.postTask(() => {}, { priority: 'background' }),
  )
}

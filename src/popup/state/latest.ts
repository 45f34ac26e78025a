import { useState } from 'react'

export type Latest = ReturnType<typeof createLatest>

/** Tells which of several tasks was begun last: what an earlier one brings, or one that was cancelled, is not shown any more. */
export function createLatest() {
  let newest = 0
  const watch = (turn: number) => () => turn === newest
  return {
    /** Begins a task, which makes all before it out of date; the function that it returns says whether this one still counts. */
    begin(): () => boolean {
      newest += 1
      return watch(newest)
    },
    /** The same for work that belongs to the task that counts now, such as the next page of a list. */
    join(): () => boolean {
      return watch(newest)
    },
    /** Makes the task that counts now out of date, too. */
    cancel(): void {
      newest += 1
    },
  }
}

/** One `createLatest` for as long as the component is there. */
export function useLatest(): Latest {
  const [latest] = useState(createLatest)
  return latest
}

import { useState } from 'react'
import { explainError } from './explain-error.ts'
import { useLatest } from './latest.ts'

/** One piece of work at a time that a press starts: whether it runs, and in words why the last one failed. */
export function useTask() {
  const [task, setTask] = useState<{ busy: boolean; failure: string | null }>(IDLE)
  const latest = useLatest()
  return {
    ...task,
    /** Resolves whether it was done; `work` is told whether what it brings is still wanted. */
    async run(work: (isWanted: () => boolean) => Promise<unknown>): Promise<boolean> {
      const isLatest = latest.begin()
      setTask({ busy: true, failure: null })
      try {
        await work(isLatest)
        if (isLatest()) setTask(IDLE)
        return true
      } catch (error) {
        if (isLatest()) setTask({ busy: false, failure: explainError(error) })
        return false
      }
    },
    /** Back to the start; how the work under way ends is not told any more. */
    forget() {
      latest.cancel()
      setTask(IDLE)
    },
  }
}

const IDLE = { busy: false, failure: null }

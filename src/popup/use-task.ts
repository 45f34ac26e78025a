import { useState } from 'react'
import { explainError } from './explain-error.ts'

/** One piece of work at a time that a press starts: whether it runs, and in words why the last one failed. */
export function useTask() {
  const [task, setTask] = useState<{ busy: boolean; failure: string | null }>(IDLE)
  return {
    ...task,
    /** Resolves whether it was done. */
    async run(work: () => Promise<unknown>): Promise<boolean> {
      setTask({ busy: true, failure: null })
      try {
        await work()
        setTask(IDLE)
        return true
      } catch (error) {
        setTask({ busy: false, failure: explainError(error) })
        return false
      }
    },
    forget: () => setTask(IDLE),
  }
}

const IDLE = { busy: false, failure: null }

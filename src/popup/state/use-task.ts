import { useRef, useState } from 'react'
import { explainError } from './explain-error.ts'

/** One piece of work at a time that a press starts: whether it runs, and in words why the last one failed. */
export function useTask() {
  const [task, setTask] = useState<{ busy: boolean; failure: string | null }>(IDLE)
  /** What was forgotten, or done anew since, has no say any more. */
  const newest = useRef(0)
  const begin = (next: typeof task) => {
    newest.current += 1
    setTask(next)
    return newest.current
  }
  return {
    ...task,
    /** Resolves whether it was done. */
    async run(work: () => Promise<unknown>): Promise<boolean> {
      const turn = begin({ busy: true, failure: null })
      try {
        await work()
        if (turn === newest.current) setTask(IDLE)
        return true
      } catch (error) {
        if (turn === newest.current) setTask({ busy: false, failure: explainError(error) })
        return false
      }
    },
    forget: () => void begin(IDLE),
  }
}

const IDLE = { busy: false, failure: null }

/** Runs the task when all earlier ones have settled. */
export type Mutex = <T>(task: () => Promise<T>) => Promise<T>

/** One queue; a failed task does not stop the next. A task must not wait for another of the same queue. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return task => {
    const result = last.then(task)
    last = result.catch(() => {})
    return result
  }
}

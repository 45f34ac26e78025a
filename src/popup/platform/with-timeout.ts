/** Milliseconds that a page waits for the background: at its start before it renders without an answer, and then again before it says so. */
export const TIMEOUT_MS = 5_000

/**
 * The answer, or null when there is none after `ms`. A browser that cannot start the background lets a question wait
 * without a word; once it can, the answer still comes.
 */
export async function withTimeout<T>(ms: number, answer: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<null>(resolve => {
    timer = setTimeout(resolve, ms, null)
  })
  try {
    return await Promise.race([answer, silence])
  } finally {
    clearTimeout(timer)
  }
}

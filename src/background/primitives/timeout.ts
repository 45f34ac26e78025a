import { BackendUnavailableError } from '../../chain/chain-source.ts'

/** Waits for work, but at most so many milliseconds; then it goes on alone, and how it ends is nobody's business any more. */
export async function withTimeout(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const patience = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, patience]).finally(() => clearTimeout(timer))
}

/** Null where a server did not answer. */
export async function nullIfUnanswered<T>(question: Promise<T>): Promise<T | null> {
  try {
    return await question
  } catch (error) {
    if (error instanceof BackendUnavailableError) return null
    throw error
  }
}

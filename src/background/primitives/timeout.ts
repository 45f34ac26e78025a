import { BackendUnavailableError } from '../../chain/chain-source.ts'

/** Resolves when the work does, and after so many milliseconds at the latest; the work then goes on, and nobody waits for it. */
export async function withTimeout(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const expired = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, expired]).finally(() => clearTimeout(timer))
}

/** The answer of a server, or null where it does not answer. */
export async function nullIfUnanswered<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof BackendUnavailableError) return null
    throw error
  }
}

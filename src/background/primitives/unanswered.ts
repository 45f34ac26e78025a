import { BackendUnavailableError } from '../../chain/chain-source.ts'

/** Null where a server did not answer. */
export async function nullIfUnanswered<T>(question: Promise<T>): Promise<T | null> {
  try {
    return await question
  } catch (error) {
    if (error instanceof BackendUnavailableError) return null
    throw error
  }
}

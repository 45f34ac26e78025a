/** Counts what a trace holds, so that it cannot take all of the memory. */
export interface TraceSize {
  /** Throws `TraceSizeError` where it is too much.
   *  @param characters - of JSON, about */
  add(characters: number): void
}

/** A trace is too large to be kept. */
export class TraceSizeError extends Error {
  override readonly name = 'TraceSizeError'
}

/** geth has no such limit. */
const MOST_CHARACTERS = 100_000_000

export function createTraceSize(most = MOST_CHARACTERS): TraceSize {
  let size = 0
  return {
    add(characters) {
      size += characters
      if (size <= most) return
      throw new TraceSizeError(`the trace is too large: more than ${most} characters`)
    },
  }
}

/** Work is put aside for others when it has gone on for so long. */
const TURN_MS = 25

/**
 * Runs work that comes in small steps, and resolves its result. Whatever else waits gets its turn in between: one page's work
 * does not hold up the answers to others.
 */
export async function runInTurns<T>(steps: Generator<void, T>): Promise<T> {
  let begun = performance.now()
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    if (performance.now() - begun < TURN_MS) continue
    await new Promise(resolve => setTimeout(resolve, 0))
    begun = performance.now()
  }
}

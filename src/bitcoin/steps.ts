/** Takes all steps of a work that could be left between any two of them, and gives its result. */
export function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

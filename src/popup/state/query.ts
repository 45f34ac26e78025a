/** What is known of a question: `busy` while the newest one has no answer yet. */
export type QueryState<T> = {
  /** The newest answer; null until the first. */
  answer: T | null
  /** Why the newest question had no answer; what was known before stays beside it. */
  problem: string | null
  busy: boolean
}

export type QueryStore<T> = ReturnType<typeof createQuery<T>>

/**
 * A question that is asked again and again, and what is known of it. An answer that comes late never takes the place of
 * one to a newer question. `explain` puts into words why there was no answer.
 */
export function createQuery<T>(explain: (error: unknown) => string) {
  let state: QueryState<T> = { answer: null, problem: null, busy: true }
  /** Questions asked so far, and the number of the one whose answer or failure is in `state`. */
  let asked = 0
  let shown = 0
  /** Questions that have no answer yet, and what is asked once they have theirs. */
  let open = 0
  let next: (() => Promise<T>) | null = null
  const listeners = new Set<() => void>()

  return {
    /** The same object until something changes. */
    getState: (): QueryState<T> => state,
    /** Calls `listener` at each change; returns how to stop. Without a listener, late answers disturb nobody. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Asks; never throws, as a failure is part of the state. Resolves when this question has its answer. */
    ask,
    /** The same once what is being asked has its answer: many pieces of news that come meanwhile are one question. */
    askAfter(question: () => Promise<T>): void {
      if (open === 0) return void ask(question)
      next = question
      change({ busy: true })
    },
  }

  async function ask(question: () => Promise<T>): Promise<void> {
    asked += 1
    open += 1
    const turn = asked
    change({ busy: true })
    try {
      const answer = await question()
      settle(turn, { answer, problem: null })
    } catch (error) {
      settle(turn, { problem: explain(error) })
    }
    open -= 1
    if (open > 0 || next === null) return
    const following = next
    next = null
    void ask(following)
  }

  function settle(turn: number, result: Partial<QueryState<T>>): void {
    if (turn <= shown) return
    shown = turn
    // News may come faster than answers: what is shown then is a question behind, not nothing.
    change({ ...result, busy: turn !== asked || next !== null })
  }

  function change(changes: Partial<QueryState<T>>): void {
    const changed = { ...state, ...changes }
    const isSame =
      changed.answer === state.answer &&
      changed.problem === state.problem &&
      changed.busy === state.busy
    if (isSame) return
    state = changed
    for (const listener of listeners) listener()
  }
}

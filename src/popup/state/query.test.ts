import { describe, expect, it, vi } from 'vitest'
import { createQuery } from './query.ts'

/** A query of which the test answers each question when it likes, by the question's place. */
function start() {
  const query = createQuery<string>(error => String(error))
  const open: { resolve: (text: string) => void; reject: (why: string) => void }[] = []
  const done: Promise<void>[] = []
  return {
    query,
    ask() {
      const question = new Promise<string>((resolve, reject) => open.push({ resolve, reject }))
      done.push(query.ask(() => question))
    },
    async answer(at: number, text: string) {
      open[at]?.resolve(text)
      await done[at]
    },
    async fail(at: number, why: string) {
      open[at]?.reject(why)
      await done[at]
    },
  }
}

describe('a query', () => {
  it('knows nothing and is busy until its first answer', async () => {
    const { query, ask, answer } = start()
    expect(query.getState()).toEqual({ answer: null, problem: null, busy: true })
    ask()
    expect(query.getState()).toEqual({ answer: null, problem: null, busy: true })
    await answer(0, 'one')
    expect(query.getState()).toEqual({ answer: 'one', problem: null, busy: false })
  })

  it('never shows the late answer to an older question', async () => {
    const { query, ask, answer } = start()
    ask()
    ask()
    await answer(1, 'new')
    await answer(0, 'old')
    expect(query.getState()).toEqual({ answer: 'new', problem: null, busy: false })
  })

  it('shows an answer that comes in its turn while a newer question waits, and stays busy', async () => {
    const { query, ask, answer } = start()
    ask()
    ask()
    await answer(0, 'old')
    expect(query.getState()).toEqual({ answer: 'old', problem: null, busy: true })
    await answer(1, 'new')
    expect(query.getState()).toEqual({ answer: 'new', problem: null, busy: false })
  })

  it('keeps the last answer while it asks again', async () => {
    const { query, ask, answer } = start()
    ask()
    await answer(0, 'one')
    ask()
    expect(query.getState()).toEqual({ answer: 'one', problem: null, busy: true })
  })

  it('tells a failure beside what was known, until a question is answered again', async () => {
    const { query, ask, answer, fail } = start()
    ask()
    await answer(0, 'one')
    ask()
    await fail(1, 'no server')
    expect(query.getState()).toEqual({ answer: 'one', problem: 'no server', busy: false })
    ask()
    expect(query.getState()).toEqual({ answer: 'one', problem: 'no server', busy: true })
    await answer(2, 'two')
    expect(query.getState()).toEqual({ answer: 'two', problem: null, busy: false })
  })

  it('never shows the late failure of an older question', async () => {
    const { query, ask, answer, fail } = start()
    ask()
    ask()
    await answer(1, 'new')
    await fail(0, 'no server')
    expect(query.getState()).toEqual({ answer: 'new', problem: null, busy: false })
  })

  it('keeps the failure of the newest question when an older one is answered after it', async () => {
    const { query, ask, answer, fail } = start()
    ask()
    ask()
    await fail(1, 'no server')
    await answer(0, 'old')
    expect(query.getState()).toEqual({ answer: null, problem: 'no server', busy: false })
  })

  it('takes a question that throws before it asks anybody for a failure', async () => {
    const { query } = start()
    await query.ask(() => {
      throw new Error('locked')
    })
    expect(query.getState()).toEqual({ answer: null, problem: 'Error: locked', busy: false })
  })

  it('calls nobody who has left', async () => {
    const { query, ask, answer } = start()
    const [left, stayed] = [vi.fn(), vi.fn()]
    const leave = query.subscribe(left)
    query.subscribe(stayed)
    ask()
    leave()
    await answer(0, 'one')
    expect(left).not.toHaveBeenCalled()
    expect(stayed).toHaveBeenCalledTimes(1)
  })

  it('keeps its state the same object as long as nothing changes', async () => {
    const { query, ask, answer } = start()
    const first = query.getState()
    ask()
    expect(query.getState()).toBe(first)
    await answer(0, 'one')
    expect(query.getState()).not.toBe(first)
  })
})

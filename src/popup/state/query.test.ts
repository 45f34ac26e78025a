import { describe, expect, it, vi } from 'vitest'
import { createQuery } from './query.ts'

/** A query of which the test answers each question when it likes, by the question's place. */
function start() {
  const query = createQuery<string>(error => String(error))
  const open: { resolve: (text: string) => void; reject: (why: string) => void }[] = []
  const asked: string[] = []
  const question = () =>
    new Promise<string>((resolve, reject) => void open.push({ resolve, reject }))
  // All that follows an answer has then happened.
  const settled = () => new Promise(resolve => setTimeout(resolve))
  return {
    query,
    ask: () => void query.ask(question),
    /** News; what was asked because of it is in `asked`. */
    tell: (news: string) =>
      query.askAfter(() => {
        asked.push(news)
        return question()
      }),
    asked: () => asked,
    async answer(at: number, text: string) {
      open[at]?.resolve(text)
      await settled()
    },
    async fail(at: number, why: string) {
      open[at]?.reject(why)
      await settled()
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

  it('asks once more after an answer, however many pieces of news came before it', async () => {
    const { query, tell, answer, asked } = start()
    for (let news = 0; news < 5; news++) tell(`news ${news}`)
    expect(asked()).toEqual(['news 0'])
    await answer(0, 'one')
    expect(query.getState()).toEqual({ answer: 'one', problem: null, busy: true })
    expect(asked()).toEqual(['news 0', 'news 4'])
    await answer(1, 'two')
    expect(query.getState()).toEqual({ answer: 'two', problem: null, busy: false })
    expect(asked()).toHaveLength(2)
  })

  it('asks after a failure, too', async () => {
    const { query, tell, fail, answer } = start()
    tell('first')
    tell('second')
    await fail(0, 'no server')
    expect(query.getState()).toEqual({ answer: null, problem: 'no server', busy: true })
    await answer(1, 'two')
    expect(query.getState()).toEqual({ answer: 'two', problem: null, busy: false })
  })

  it('waits with news for the last of the questions that the person asked', async () => {
    const { query, ask, tell, answer, asked } = start()
    ask()
    ask()
    tell('news')
    await answer(1, 'new')
    expect(asked()).toEqual([])
    await answer(0, 'old')
    expect(asked()).toEqual(['news'])
    await answer(2, 'newest')
    expect(query.getState()).toEqual({ answer: 'newest', problem: null, busy: false })
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

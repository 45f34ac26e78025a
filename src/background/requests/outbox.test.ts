import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BackgroundMessage } from '../../provider/envelope.ts'
import { createOutbox } from './outbox.ts'

const answer = (id: string): BackgroundMessage => ({ id, result: id })

/** An outbox whose later tasks the test runs. */
function openOutbox({ most = Number.POSITIVE_INFINITY, refused = '' } = {}) {
  const delivered: (BackgroundMessage | BackgroundMessage[])[] = []
  const lost: unknown[] = []
  let tasks: (() => void)[] = []
  const outbox = createOutbox({
    deliver(message) {
      const messages = [message].flat()
      if (messages.length > most) throw new Error('Message exceeded maximum allowed size')
      if (messages.some(each => 'id' in each && each.id === refused)) throw new Error('Gone')
      delivered.push(message)
    },
    lose: error => lost.push(error),
    runLater: task => tasks.push(task),
  })
  const runTasks = () => {
    const due = tasks
    tasks = []
    for (const task of due) task()
  }
  return { ...outbox, delivered, lost, runTasks }
}

describe('what a page is told', () => {
  it('goes at once where it called once', () => {
    const { post, delivered } = openOutbox()
    void post(answer('1'))
    void post({ state: { account: null, network: null } })
    expect(delivered).toEqual([answer('1'), { state: { account: null, network: null } }])
  })

  it('goes in one message with the answers to calls that came together, as soon as the last is there', () => {
    const { post, expect: awaitAnswers, delivered } = openOutbox()
    awaitAnswers(['1', '2', '3'])
    for (const id of ['2', '1']) void post(answer(id))
    expect(delivered).toEqual([])
    void post(answer('3'))
    expect(delivered).toEqual([['2', '1', '3'].map(answer)])
  })

  it('does not wait for a call that asks a person', () => {
    const { post, expect: awaitAnswers, delivered, runTasks } = openOutbox()
    awaitAnswers(['1', '2', '3'])
    void post(answer('1'))
    void post(answer('3'))
    runTasks()
    expect(delivered).toEqual([[answer('1'), answer('3')]])
    void post(answer('2'))
    expect(delivered.at(-1)).toEqual(answer('2'))
  })

  it('counts as told only once the browser has it', async () => {
    const { post, expect: awaitAnswers, runTasks } = openOutbox()
    let told = false
    awaitAnswers(['1', '2'])
    void post(answer('1')).then(() => {
      told = true
    })
    await Promise.resolve()
    expect(told).toBe(false)
    runTasks()
    await Promise.resolve()
    expect(told).toBe(true)
  })

  it('goes one by one where all of it is too much for a message, and a page that left loses only its own', () => {
    const { post, expect: awaitAnswers, delivered, lost } = openOutbox({ most: 1, refused: '2' })
    awaitAnswers(['1', '2', '3'])
    for (const id of ['1', '2', '3']) void post(answer(id))
    expect(delivered).toEqual([answer('1'), answer('3')])
    expect(lost).toHaveLength(1)
  })

  it('is told once and in the order in which it was posted, whatever came together', () => {
    const step = fc.oneof(
      fc.record({ post: fc.nat(9).map(String) }),
      fc.record({ expect: fc.array(fc.nat(9).map(String)) }),
      fc.constant({ run: true }),
    )
    fc.assert(
      fc.property(fc.array(step), steps => {
        const { post, expect: awaitAnswers, delivered, runTasks } = openOutbox()
        const posted: BackgroundMessage[] = []
        for (const each of steps) {
          if ('post' in each) {
            posted.push(answer(each.post))
            void post(answer(each.post))
          } else if ('expect' in each) awaitAnswers(each.expect)
          else runTasks()
        }
        runTasks()
        expect(delivered.flat()).toEqual(posted)
      }),
    )
  })
})

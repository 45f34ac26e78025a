import { describe, expect, it } from 'vitest'
import type { ContentView } from '../../../background/views/asset-views.ts'
import { createContentShelf } from './content-shelf.ts'

const textOf = (text: string): ContentView => ({ kind: 'text', text, cut: false })
const UNANSWERED: ContentView = { kind: 'placeholder', why: 'unanswered' }

/** A shelf whose questions are answered by hand. */
function openShelf(atOnce: number, most: number) {
  const asked: string[] = []
  const answers = new Map<string, (content: ContentView | null) => void>()
  const shelf = createContentShelf({
    ask: key =>
      new Promise((resolve, reject) => {
        asked.push(key)
        answers.set(key, content => (content ? resolve(content) : reject(new Error('no answer'))))
      }),
    atOnce,
    most,
  })
  const answer = async (key: string, content: ContentView | null) => {
    answers.get(key)?.(content)
    await new Promise(resolve => setTimeout(resolve, 0))
  }
  return { shelf, asked, answer }
}

const ignore = () => {}

describe('contents of inscriptions', () => {
  it('are asked for a few at a time, the newest wish first, and never when the wish is gone', async () => {
    const { shelf, asked, answer } = openShelf(2, 100)
    shelf.want('a', ignore)
    shelf.want('b', ignore)
    const leave = shelf.want('c', ignore)
    shelf.want('d', ignore)
    expect(asked).toEqual(['a', 'b'])
    leave()
    await answer('a', textOf('A'))
    expect(asked).toEqual(['a', 'b', 'd'])
    await answer('b', textOf('B'))
    await answer('d', textOf('D'))
    expect(asked).toEqual(['a', 'b', 'd'])
  })

  it('come to all who want them by one question, and at once when they are there', async () => {
    const { shelf, asked, answer } = openShelf(2, 100)
    const told: string[] = []
    shelf.want('a', () => told.push('first'))
    shelf.want('a', () => told.push('second'))
    await answer('a', textOf('A'))
    shelf.want('a', content => told.push(JSON.stringify(content)))
    expect(told).toEqual(['first', 'second', JSON.stringify(textOf('A'))])
    expect(asked).toEqual(['a'])
  })

  it('are forgotten when there is no room, the longest unused first, never while they are shown', async () => {
    const { shelf, asked, answer } = openShelf(1, 10)
    const leave = new Map<string, () => void>()
    for (const key of ['a', 'b', 'c']) {
      leave.set(key, shelf.want(key, ignore))
      await answer(key, textOf('12345'))
    }
    expect(shelf.weight()).toBe(15)
    leave.get('b')?.()
    expect(shelf.weight()).toBe(10)
    leave.get('a')?.()
    leave.get('c')?.()
    shelf.want('a', ignore)
    shelf.want('c', ignore)
    expect(asked).toEqual(['a', 'b', 'c'])
    shelf.want('b', ignore)
    expect(asked).toEqual(['a', 'b', 'c', 'b'])
  })

  it.each([
    ['no answer', null],
    ['an index that does not answer', UNANSWERED],
  ])('are asked for again after %s, once somebody wishes so', async (_, nothing) => {
    const { shelf, asked, answer } = openShelf(1, 10)
    const told: (ContentView | null)[] = []
    const leave = shelf.want('a', content => told.push(content))
    await answer('a', nothing)
    expect(told).toEqual([nothing])
    expect(asked).toEqual(['a'])
    leave()
    shelf.want('a', content => told.push(content))
    await answer('a', textOf('A'))
    expect(asked).toEqual(['a', 'a'])
    expect(told).toEqual([nothing, textOf('A')])
  })
})

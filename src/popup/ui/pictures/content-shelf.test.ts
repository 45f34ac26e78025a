import { describe, expect, it } from 'vitest'
import { createContentShelf } from './content-shelf.ts'
import type { DrawnContent } from './drawn-content.ts'

const textOf = (text: string): DrawnContent => ({ kind: 'text', text, cut: false })
const UNANSWERED: DrawnContent = { kind: 'placeholder', why: 'unanswered' }

/** A shelf whose questions are answered by hand. */
function openShelf(atOnce: number, most: number) {
  const asked: string[] = []
  const discarded: DrawnContent[] = []
  const answers = new Map<string, (content: DrawnContent | null) => void>()
  const shelf = createContentShelf({
    ask: key =>
      new Promise((resolve, reject) => {
        asked.push(key)
        answers.set(key, content => (content ? resolve(content) : reject(new Error('no answer'))))
      }),
    discard: content => discarded.push(content),
    atOnce,
    most,
  })
  const answer = async (key: string, content: DrawnContent | null) => {
    answers.get(key)?.(content)
    await new Promise(resolve => setTimeout(resolve, 0))
  }
  return { shelf, asked, discarded, answer }
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

  it('that are pictures weigh what their pixels take, and give it back when they are forgotten', async () => {
    const { shelf, discarded, answer } = openShelf(1, 100)
    const bitmap = { width: 8, height: 4, close: ignore } as ImageBitmap
    const picture: DrawnContent = { kind: 'pixels', bitmap, movement: null, pixelArt: true }
    const leave = shelf.want('a', ignore)
    await answer('a', picture)
    expect(shelf.weight()).toBe(128)
    expect(discarded).toEqual([])
    leave()
    expect(shelf.weight()).toBe(0)
    expect(discarded).toEqual([picture])
  })

  it.each([
    ['no answer', null],
    ['an index that does not answer', UNANSWERED],
  ])('are asked for again after %s, once somebody wishes so', async (_, nothing) => {
    const { shelf, asked, answer } = openShelf(1, 10)
    const told: (DrawnContent | null)[] = []
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

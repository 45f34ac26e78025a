import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { gatherNews } from './gather-news.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** What was handed on, with the time. */
function start(pauseMs: number) {
  const heard: [number, string[]][] = []
  const begin = Date.now()
  const news = gatherNews(keys => heard.push([Date.now() - begin, keys]), pauseMs)
  return { ...news, heard }
}

describe('news of what is stored', () => {
  it('is handed on at once', () => {
    const { tell, heard } = start(250)
    tell(['jobs', 'live'])
    expect(heard).toEqual([[0, ['jobs', 'live']]])
  })

  it('that follows in the pause comes together at its end, each key once', () => {
    const { tell, heard } = start(250)
    tell(['jobs'])
    vi.advanceTimersByTime(100)
    tell(['live'])
    vi.advanceTimersByTime(100)
    tell(['jobs', 'live'])
    expect(heard).toHaveLength(1)
    vi.advanceTimersByTime(1000)
    expect(heard).toEqual([
      [0, ['jobs']],
      [250, ['live', 'jobs']],
    ])
  })

  it('of a stream comes once a pause, and after it at once again', () => {
    const { tell, heard } = start(250)
    for (let at = 0; at < 100; at++) {
      tell(['jobs'])
      vi.advanceTimersByTime(10)
    }
    expect(heard.map(([at]) => at)).toEqual([0, 250, 500, 750, 1000])
    vi.advanceTimersByTime(600)
    tell(['live'])
    expect(heard.at(-1)).toEqual([1600, ['live']])
  })

  it('is not handed on to who has stopped', () => {
    const { tell, stop, heard } = start(250)
    tell(['jobs'])
    tell(['live'])
    stop()
    vi.advanceTimersByTime(1000)
    expect(heard).toHaveLength(1)
  })

  it('that the listener makes itself comes after the pause', () => {
    const heard: string[][] = []
    const { tell } = gatherNews(keys => {
      heard.push(keys)
      if (heard.length === 1) tell(['again'])
    }, 250)
    tell(['jobs'])
    expect(heard).toEqual([['jobs']])
    vi.advanceTimersByTime(250)
    expect(heard).toEqual([['jobs'], ['again']])
  })
})

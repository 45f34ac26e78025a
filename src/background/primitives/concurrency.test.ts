import { describe, expect, it } from 'vitest'
import { forEachConcurrently, mapConcurrently } from './concurrency.ts'

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

describe('work on many items at once', () => {
  it('never exceeds its limit, and begins in the order of the items', async () => {
    let running = 0
    let most = 0
    const begun: number[] = []
    await forEachConcurrently([5, 1, 3, 1, 2], 2, async ms => {
      begun.push(ms)
      most = Math.max(most, ++running)
      await pause(ms)
      running--
    })
    expect(begun).toEqual([5, 1, 3, 1, 2])
    expect(most).toBe(2)
  })

  it('gives results in the order of the items, whichever ends first', async () => {
    const ended: number[] = []
    const doubled = await mapConcurrently([9, 1, 5], 3, async ms => {
      await pause(ms)
      ended.push(ms)
      return ms * 2
    })
    expect(doubled).toEqual([18, 2, 10])
    expect(ended).toEqual([1, 5, 9])
  })

  it('begins nothing after a failure, and throws it', async () => {
    const begun: number[] = []
    const work = forEachConcurrently([1, 2, 3, 4, 5, 6], 2, async item => {
      begun.push(item)
      await pause(1)
      if (item === 2) throw new Error('second')
    })
    await expect(work).rejects.toThrow('second')
    await pause(10)
    expect(begun.length).toBeLessThan(6)
  })
})

import { afterEach, describe, expect, it, vi } from 'vitest'
import { letOthersRun } from './pause.ts'

afterEach(() => vi.unstubAllGlobals())

describe('a pause in long work', () => {
  it('lets timers and messages run, where the browser has no scheduler', async () => {
    let isTold = false
    setTimeout(() => {
      isTold = true
    })
    await letOthersRun()
    expect(isTold).toBe(true)
  })

  it('comes behind all that waits, and ends where others always have something to do', async () => {
    const asked: unknown[] = []
    const postTask = (_: () => void, options: unknown) => {
      asked.push(options)
      return new Promise<void>(() => {})
    }
    vi.stubGlobal('scheduler', { postTask })
    const since = performance.now()
    await letOthersRun()
    expect(asked).toEqual([{ priority: 'background' }])
    expect(performance.now() - since).toBeLessThan(1000)
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withTimeout } from './with-timeout.ts'

describe('a question that the background may never hear', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  it('has its answer when that comes in time, and leaves no timer behind', async () => {
    const set = vi.spyOn(globalThis, 'setTimeout')
    const clear = vi.spyOn(globalThis, 'clearTimeout')
    const heard = withTimeout(5_000, new Promise(resolve => setTimeout(resolve, 4_999, 'here')))
    const limit = set.mock.results[set.mock.calls.findIndex(([, delay]) => delay === 5_000)]
    await vi.advanceTimersByTimeAsync(4_999)
    expect(await heard).toBe('here')
    expect(limit?.type).toBe('return')
    expect(clear).toHaveBeenCalledWith(limit?.value)
  })
  it('fails as the answer does', async () => {
    await expect(withTimeout(5_000, Promise.reject(new Error('no')))).rejects.toThrow('no')
  })
  it('has none after that, and the answer can still come', async () => {
    const late = new Promise(resolve => setTimeout(resolve, 60_000, 'late'))
    const heard = withTimeout(5_000, late)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await heard).toBeNull()
    await vi.advanceTimersByTimeAsync(55_000)
    expect(await late).toBe('late')
  })
  it('may fail unheard', async () => {
    let fail = (_: Error) => {}
    const late = new Promise((_, reject) => {
      fail = reject
    })
    const heard = withTimeout(5_000, late)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await heard).toBeNull()
    fail(new Error('too late'))
    await vi.advanceTimersByTimeAsync(0)
  })
})

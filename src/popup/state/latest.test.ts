import { describe, expect, it } from 'vitest'
import { createLatest } from './latest.ts'

describe('the latest of several tasks', () => {
  it('counts until another one is begun', () => {
    const latest = createLatest()
    const isFirst = latest.begin()
    expect(isFirst()).toBe(true)
    const isSecond = latest.begin()
    expect([isFirst(), isSecond()]).toEqual([false, true])
  })

  it('counts no more once it is cancelled', () => {
    const latest = createLatest()
    const isFirst = latest.begin()
    latest.cancel()
    expect(isFirst()).toBe(false)
    expect(latest.begin()()).toBe(true)
  })

  it('takes what belongs to it along', () => {
    const latest = createLatest()
    const isFirst = latest.begin()
    const isNextPage = latest.join()
    expect([isFirst(), isNextPage()]).toEqual([true, true])
    latest.begin()
    expect([isFirst(), isNextPage()]).toEqual([false, false])
  })

  it('has nothing to do with the tasks of another screen', () => {
    const [here, there] = [createLatest(), createLatest()]
    const isHere = here.begin()
    there.begin()
    there.cancel()
    expect(isHere()).toBe(true)
  })
})

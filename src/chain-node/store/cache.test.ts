import { describe, expect, it } from 'vitest'
import { createCache } from './cache.ts'

describe('createCache', () => {
  it('never keeps more than its capacity, and keeps what was asked for lately', () => {
    const cache = createCache<number, string>(100, value => value.length)
    cache.set(-1, 'kept')
    for (let i = 0; i < 1000; i++) {
      cache.set(i, 'x'.repeat(10))
      expect(cache.get(-1)).toBe('kept')
    }
    const kept = Array.from({ length: 1000 }, (_, i) => i).filter(i => cache.get(i) !== undefined)
    expect(kept.length).toBeGreaterThan(3)
    expect(kept.length).toBeLessThanOrEqual(10)
    expect(kept).toContain(999)
  })

  it('counts a value that is set again once', () => {
    const cache = createCache<string, string>(100, value => value.length)
    cache.set('first', 'x'.repeat(40))
    for (let i = 0; i < 1000; i++) cache.set('second', 'yyyy')
    expect(cache.get('first')).toBeDefined()
    expect(cache.get('second')).toBe('yyyy')
  })

  it('does not keep what is larger than all of it', () => {
    const cache = createCache<string, string>(10, value => value.length)
    cache.set('large', 'x'.repeat(1000))
    cache.set('next', 'xxxxxx')
    expect(cache.get('large')).toBeUndefined()
  })
})

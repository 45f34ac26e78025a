import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCachedArea } from './cached-area.ts'
import { createMemoryArea } from './testing/memory-area.ts'

describe('a cached area', () => {
  it('reads each key once, absent ones too', async () => {
    const reads: string[] = []
    const memory = createMemoryArea({ a: 1 })
    const area = createCachedArea({
      ...memory,
      get: key => {
        reads.push(key)
        return memory.get(key)
      },
    })
    await Promise.all([area.get('a'), area.get('a'), area.get('b')])
    expect(await area.get('a')).toBe(1)
    expect(await area.get('b')).toBeUndefined()
    expect(reads).toEqual(['a', 'b'])
  })

  it('reads back what storage kept, not what was handed to it', async () => {
    const memory = createMemoryArea()
    const corrupting = { ...memory, set: async () => memory.set({ a: 'corrupted' }) }
    const area = createCachedArea(corrupting)
    await area.set({ a: 'written' })
    expect(await area.getStored('a')).toBe('corrupted')
  })

  it('keeps the old value when a write fails', async () => {
    const memory = createMemoryArea({ a: 1 })
    const area = createCachedArea({ ...memory, set: () => Promise.reject(new Error('full')) })
    await area.get('a')
    await expect(area.set({ a: 2 })).rejects.toThrow('full')
    expect(await area.get('a')).toBe(1)
  })

  it('does not let a slow read undo a write', async () => {
    const memory = createMemoryArea({ a: 1 })
    let release = () => {}
    const area = createCachedArea({
      ...memory,
      get: key =>
        new Promise(resolve => {
          const value = memory.get(key)
          release = () => resolve(value)
        }),
    })
    const slow = area.get('a')
    await area.set({ a: 2 })
    release()
    await slow
    expect(await area.get('a')).toBe(2)
  })

  it('tells what is being written to whoever heard of it before the writer did', async () => {
    const memory = createMemoryArea({ a: 1, b: 1 })
    let acknowledge = () => {}
    const slow = (write: Promise<void>) =>
      new Promise<void>(resolve => {
        acknowledge = () => resolve(write)
      })
    const area = createCachedArea({
      ...memory,
      set: entries => slow(memory.set(entries)),
      remove: keys => slow(memory.remove(keys)),
    })
    expect([await area.get('a'), await area.get('b')]).toEqual([1, 1])
    const set = area.set({ a: 2 })
    const seen = area.get('a')
    acknowledge()
    expect(await seen).toBe(2)
    await set
    const removed = area.remove('b')
    const left = area.get('b')
    acknowledge()
    expect(await left).toBeUndefined()
    await removed
  })

  it('answers as the area itself does, whatever the order of calls', async () => {
    const key = fc.constantFrom('a', 'b')
    const step = fc.oneof(
      fc.record({ do: fc.constant('get' as const), key }),
      fc.record({ do: fc.constant('set' as const), key, value: fc.integer() }),
      fc.record({ do: fc.constant('remove' as const), key }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step), async steps => {
        const plain = createMemoryArea()
        const cached = createCachedArea(createMemoryArea())
        for (const current of steps) {
          for (const area of [plain, cached]) {
            if (current.do === 'set') await area.set({ [current.key]: current.value })
            if (current.do === 'remove') await area.remove(current.key)
          }
          expect(await cached.get(current.key)).toEqual(await plain.get(current.key))
        }
      }),
    )
  })
})

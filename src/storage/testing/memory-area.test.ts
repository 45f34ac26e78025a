import { describe, expect, it } from 'vitest'
import { crashAfter, createMemoryArea, StorageCrashError } from './memory-area.ts'

describe('createMemoryArea', () => {
  it('keeps copies of JSON', async () => {
    const area = createMemoryArea({ a: 1 })
    const value = { list: [1] }
    await area.set({ b: value })
    value.list.push(2)
    expect(await area.get('b')).toEqual({ list: [1] })
    expect(await area.get('none')).toBeUndefined()
    await expect(area.set({ c: () => {} })).rejects.toThrow('not a JSON value')
    await area.remove(['a', 'none'])
    await area.remove('none')
    expect(area.dump()).toEqual({ b: { list: [1] } })
  })

  it('crashes between two keys of one call, and stays crashed with the areas that share its end', async () => {
    const crash = crashAfter(2)
    const one = createMemoryArea({}, crash)
    const two = createMemoryArea({ x: 1 }, crash)
    await one.set({ a: 1 })
    await expect(one.set({ b: 1, c: 1 })).rejects.toThrow(StorageCrashError)
    await expect(two.remove('x')).rejects.toThrow(StorageCrashError)
    expect([one.dump(), two.dump()]).toEqual([{ a: 1, b: 1 }, { x: 1 }])
  })
})

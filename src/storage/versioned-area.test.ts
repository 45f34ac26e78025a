import { describe, expect, it } from 'vitest'
import type { StorageArea } from './storage-area.ts'
import { createMemoryArea } from './testing/memory-area.ts'
import {
  createVersionedArea,
  type Migration,
  NewerStorageError,
  STAMP_KEY,
} from './versioned-area.ts'

/** From names in a text to a list, and from that to one of objects under another key. */
const MIGRATIONS: Migration[] = [
  async get => {
    const names = await get('names')
    return typeof names === 'string' ? { names: names.split(',') } : {}
  },
  async get => {
    const names = (await get('names')) as string[] | undefined
    return names === undefined ? {} : { contacts: names.map(name => ({ name })), names: null }
  },
]
const OLD = { names: 'Alice,Bob', other: 1 }
const NEW = { contacts: [{ name: 'Alice' }, { name: 'Bob' }], other: 1 }

describe('createVersionedArea', () => {
  it('migrates what is older before it is read, step by step', async () => {
    const area = createMemoryArea(OLD)
    const versioned = createVersionedArea(area, { migrations: MIGRATIONS, writtenBy: '2.0.0' })
    expect(await versioned.get('contacts')).toEqual(NEW.contacts)
    expect(await versioned.get('names')).toBeUndefined()
    expect(area.dump()).toEqual({ ...NEW, [STAMP_KEY]: { version: 2, writtenBy: '2.0.0' } })
  })

  it('takes only the steps that are missing', async () => {
    const stamp = { version: 1, writtenBy: '1.0.0' }
    const area = createMemoryArea({ names: ['Alice', 'Bob'], other: 1, [STAMP_KEY]: stamp })
    const versioned = createVersionedArea(area, { migrations: MIGRATIONS, writtenBy: '2.0.0' })
    expect(await versioned.getStored('contacts')).toEqual(NEW.contacts)
  })

  it('loses nothing to a stop before any of its writes: the next start goes on', async () => {
    for (let writes = 0; writes < 6; writes++) {
      const memory = createMemoryArea(OLD)
      const dying = createVersionedArea(stopAfter(memory, writes), {
        migrations: MIGRATIONS,
        writtenBy: '2.0.0',
      })
      const outcome = await dying.get('contacts').catch(String)
      if (outcome !== 'Error: stopped') expect(outcome).toEqual(NEW.contacts)
      const next = createVersionedArea(memory, { migrations: MIGRATIONS, writtenBy: '2.0.0' })
      expect(await next.get('contacts')).toEqual(NEW.contacts)
      expect(await next.get('other')).toBe(1)
      expect(memory.dump()).toEqual({ ...NEW, [STAMP_KEY]: { version: 2, writtenBy: '2.0.0' } })
    }
  })

  it('reads and writes nothing of a newer version, and says which one wrote it', async () => {
    const stored = { ...NEW, [STAMP_KEY]: { version: 3, writtenBy: '3.1.0' } }
    const area = createMemoryArea(stored)
    const versioned = createVersionedArea(area, { migrations: MIGRATIONS, writtenBy: '2.0.0' })
    const calls = [
      () => versioned.get('contacts'),
      () => versioned.getStored('contacts'),
      () => versioned.set({ contacts: [] }),
      () => versioned.remove('contacts'),
      () => versioned.clear(),
    ]
    for (const call of calls) {
      await expect(call()).rejects.toThrow(NewerStorageError)
      await expect(call()).rejects.toMatchObject({ writtenBy: '3.1.0' })
    }
    expect(area.dump()).toEqual(stored)
  })

  it('stamps the first write of a version, also after everything was erased, and no reading', async () => {
    const area = createMemoryArea({ a: 1 })
    const versioned = createVersionedArea(area, { migrations: [], writtenBy: '1.0.0' })
    const stamp = { [STAMP_KEY]: { version: 0, writtenBy: '1.0.0' } }
    expect(await versioned.get('a')).toBe(1)
    expect(area.dump()).toEqual({ a: 1 })
    await versioned.set({ b: 2 })
    expect(area.dump()).toEqual({ a: 1, b: 2, ...stamp })
    await versioned.clear()
    expect(area.dump()).toEqual({})
    await versioned.set({ c: 3 })
    expect(area.dump()).toEqual({ c: 3, ...stamp })
    const updated = createVersionedArea(area, { migrations: [], writtenBy: '1.0.1' })
    await updated.set({ d: 4 })
    expect(area.dump()).toMatchObject({ [STAMP_KEY]: { version: 0, writtenBy: '1.0.1' } })
  })

  it('tries again what failed, and then knows what is there', async () => {
    const memory = createMemoryArea(OLD)
    let isBroken = true
    const area = {
      ...memory,
      async get(key: string) {
        if (isBroken) throw new Error('not ready')
        return memory.get(key)
      },
    }
    const versioned = createVersionedArea(area, { migrations: MIGRATIONS, writtenBy: '2.0.0' })
    await expect(versioned.get('contacts')).rejects.toThrow('not ready')
    isBroken = false
    expect(await versioned.get('contacts')).toEqual(NEW.contacts)
  })

  it('stamps what is written after everything was erased, though an older write ends later', async () => {
    const memory = createMemoryArea()
    let end = () => {}
    const area = {
      ...memory,
      async set(entries: { [key: string]: unknown }) {
        await memory.set(entries)
        if ('slow' in entries) await new Promise<void>(resolve => (end = resolve))
      },
    }
    const versioned = createVersionedArea(area, { migrations: [], writtenBy: '1.0.0' })
    await versioned.set({ a: 1 })
    const slow = versioned.set({ slow: 1 })
    await new Promise(resolve => setTimeout(resolve))
    await versioned.clear()
    end()
    await slow
    await versioned.set({ b: 2 })
    expect(memory.dump()).toEqual({ b: 2, [STAMP_KEY]: { version: 0, writtenBy: '1.0.0' } })
  })

  it('goes through all migrations with nothing, as a new wallet does', async () => {
    const area = createMemoryArea()
    const versioned = createVersionedArea(area, { migrations: MIGRATIONS, writtenBy: '2.0.0' })
    expect(await versioned.get('contacts')).toBeUndefined()
    await versioned.set({ contacts: [] })
    expect(area.dump()).toEqual({ contacts: [], [STAMP_KEY]: { version: 2, writtenBy: '2.0.0' } })
  })

  it('repeats no text that somebody else put where a version belongs', async () => {
    const texts = ['2.0, enter your words at https://evil.example', 7e9, null, '1.2.3.4.5']
    for (const writtenBy of texts) {
      const area = createMemoryArea({ [STAMP_KEY]: { version: 9, writtenBy } })
      const versioned = createVersionedArea(area, { migrations: MIGRATIONS, writtenBy: '2.0.0' })
      await expect(versioned.get('contacts')).rejects.toMatchObject({ writtenBy: '?' })
    }
  })

  it('takes a stamp that is none for no version at all', async () => {
    for (const stamp of [null, 7, 'x', {}, { version: '9' }, { version: -1 }, { version: 1.5 }]) {
      const area = createMemoryArea({ ...OLD, [STAMP_KEY]: stamp })
      const versioned = createVersionedArea(area, { migrations: MIGRATIONS, writtenBy: '2.0.0' })
      expect(await versioned.get('contacts')).toEqual(NEW.contacts)
    }
  })

  it('tells every call of a migration that fails, and leaves what is stored', async () => {
    const area = createMemoryArea(OLD)
    const failing: Migration = async () => {
      throw new TypeError('names: expected a list')
    }
    const versioned = createVersionedArea(area, { migrations: [failing], writtenBy: '2.0.0' })
    await expect(versioned.get('other')).rejects.toThrow('names: expected a list')
    await expect(versioned.set({ other: 2 })).rejects.toThrow('names: expected a list')
    expect(area.dump()).toEqual(OLD)
  })
})

/** The area of a background that ends before its write number `writes`; the keys of one call are stored together. */
function stopAfter(area: StorageArea, writes: number): StorageArea {
  let left = writes
  const spend = () => {
    if (left-- <= 0) throw new Error('stopped')
  }
  return {
    ...area,
    async set(entries) {
      spend()
      await area.set(entries)
    },
    async remove(keys) {
      spend()
      await area.remove(keys)
    },
  }
}

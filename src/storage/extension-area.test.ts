import { beforeAll, describe, expect, it, vi } from 'vitest'
import type * as ExtensionArea from './extension-area.ts'

type Stored = { [key: string]: unknown }

/** Answers like the browser's: `get` with an object that has the key only if it is stored. */
function createBrowserArea(stored: Stored) {
  return {
    get: async (key: string) => (key in stored ? { [key]: stored[key] } : {}),
    set: async (entries: Stored) => void Object.assign(stored, entries),
    remove: async (keys: string | string[]) => {
      for (const key of [keys].flat()) delete stored[key]
    },
  }
}

const VERSIONS = { migrations: [], writtenBy: '1.2.3' }

describe('the extension’s storage areas', () => {
  const local: Stored = {}
  const session: Stored = {}
  const levels: unknown[] = []
  let areas: typeof ExtensionArea

  beforeAll(async () => {
    const runtime = { id: 'satchel' }
    const createArea = (name: string, stored: Stored) => ({
      ...createBrowserArea(stored),
      setAccessLevel: async (options: object) => void levels.push([name, options]),
    })
    const storage: Stored = {
      local: createArea('local', local),
      session: createArea('session', session),
      sync: createArea('sync', {}),
    }
    // The polyfill demands `chrome` and passes a native `browser` through.
    vi.stubGlobal('chrome', { runtime })
    vi.stubGlobal('browser', { runtime, storage })
    areas = await import('./extension-area.ts')
  })

  it('read, write and remove single keys', async () => {
    const area = areas.localArea(VERSIONS)
    expect(await area.get('a')).toBeUndefined()
    await area.set({ a: { deep: [1] }, b: 2 })
    expect(await area.get('a')).toEqual({ deep: [1] })
    await area.remove(['a', 'b'])
    expect(await area.get('a')).toBeUndefined()
  })

  it('are two different ones', async () => {
    await areas.sessionArea().set({ key: 'secret' })
    expect(await areas.localArea(VERSIONS).get('key')).toBeUndefined()
    expect([local, session]).toEqual([
      { storage: { version: 0, writtenBy: '1.2.3' } },
      { key: 'secret' },
    ])
  })

  it('are closed to content scripts where the browser can', async () => {
    await areas.closeAreas()
    const closed = { accessLevel: 'TRUSTED_CONTEXTS' }
    expect(levels).toEqual([
      ['local', closed],
      ['session', closed],
    ])
    const { storage } = (globalThis as unknown as { browser: { storage: Stored } }).browser
    // As in Firefox.
    for (const area of ['local', 'session'])
      Object.assign(Object(storage[area]), { setAccessLevel: undefined })
    await areas.closeAreas()
    expect(levels).toHaveLength(2)
  })
})

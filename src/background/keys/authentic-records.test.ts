import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChangedRecordError, RecordsLockedError } from '../../storage/records.ts'
import { crashAfter, createMemoryArea, type MemoryArea } from '../../storage/testing/memory-area.ts'
import { createAuthenticRecords } from './authentic-records.ts'
import type { VaultSecret } from './vault-secret.ts'
import { VaultLockedError } from './vault-session.ts'

/** A vault as the records see it: it can be locked, and keeps what it is told to seal. */
function createTestVault() {
  const vault = {
    secret: { version: 3, phrases: [], accounts: [] } as VaultSecret,
    isLocked: false,
    open: async () => {
      if (vault.isLocked) throw new VaultLockedError()
      return vault.secret
    },
    async update(change: (secret: VaultSecret) => VaultSecret) {
      vault.secret = change(await vault.open())
    },
  }
  return vault
}

const parts = {
  sites: (stored: unknown) => stored,
  settings: (stored: unknown) => Object(stored).expert,
}

/** Records over an area, as a worker that starts makes them. */
function open(local: MemoryArea, vault = createTestVault()) {
  const random = (n: number) => crypto.getRandomValues(new Uint8Array(n))
  return { local, vault, records: createAuthenticRecords({ local, vault, random, parts }) }
}

describe('records that only the wallet may write', () => {
  it('are taken as they are by a vault that has no key for them yet', async () => {
    const { records } = open(createMemoryArea({ sites: ['a'] }))
    expect(await records.read('sites')).toEqual({ stored: ['a'], isChanged: false })
    expect(await records.listChanged()).toEqual([])
  })

  it('are read back by every later worker', async () => {
    const { local, vault, records } = open(createMemoryArea())
    await records.write({ sites: ['a'], settings: { theme: 'dark', expert: ['x'] }, other: 1 })
    expect(await open(local, vault).records.read('sites')).toMatchObject({ isChanged: false })
    expect(await open(local, vault).records.listChanged()).toEqual([])
    expect(local.dump()).toMatchObject({ sites: ['a'], other: 1 })
  })

  it('are changed when anybody else wrote them, whatever they wrote', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (own, foreign) => {
        fc.pre(JSON.stringify(own) !== JSON.stringify(foreign))
        const { local, vault, records } = open(createMemoryArea())
        await records.write({ sites: own })
        await local.set({ sites: foreign })
        const next = open(local, vault).records
        const isSame = JSON.stringify(sorted(own)) === JSON.stringify(sorted(foreign))
        expect((await next.read('sites')).isChanged).toBe(!isSame)
      }),
    )
  })

  it('are changed when they or their tags are taken away', async () => {
    for (const taken of ['sites', 'recordTags']) {
      const { local, vault, records } = open(createMemoryArea())
      await records.write({ sites: ['a'] })
      await local.remove(taken)
      const changed = (await open(local, vault).records.listChanged()).map(({ key }) => key)
      expect(changed).toContain('sites')
    }
  })

  it('are changed under the tag of another record, or of another wallet', async () => {
    const first = open(createMemoryArea())
    await first.records.write({ sites: ['a'], settings: { expert: ['a'] } })
    const { recordTags } = first.local.dump() as { recordTags: { settings: string[] } }
    await first.local.set({ recordTags: { ...recordTags, sites: recordTags.settings } })
    expect((await first.records.read('sites')).isChanged).toBe(true)

    const second = open(createMemoryArea({ sites: ['a'] }))
    await second.records.read('sites')
    await second.local.set({ recordTags })
    expect((await second.records.read('sites')).isChanged).toBe(true)
  })

  it('cannot be written over before the person has decided, and count again then', async () => {
    const { local, records } = open(createMemoryArea())
    await records.write({ sites: ['a'] })
    await local.set({ sites: ['evil'] })
    await expect(records.write({ sites: ['b'] })).rejects.toThrow(ChangedRecordError)
    expect(local.dump().sites).toEqual(['evil'])
    await records.settle({ sites: ['c'] })
    expect(await records.read('sites')).toEqual({ stored: ['c'], isChanged: false })
  })

  it('have a part alone that counts', async () => {
    const { local, vault, records } = open(createMemoryArea())
    await records.write({ settings: { theme: 'dark', expert: ['x'] } })
    await local.set({ settings: { theme: 'light', expert: ['x'] } })
    expect((await records.read('settings')).isChanged).toBe(false)
    vault.isLocked = true
    await records.write({ settings: { theme: 'dark', expert: ['x'] } })
    await expect(records.write({ settings: { expert: ['y'] } })).rejects.toThrow(RecordsLockedError)
    vault.isLocked = false
    expect(await records.listChanged()).toEqual([])
  })

  it('are given as they are while the wallet is locked, and looked at afterwards', async () => {
    const { local, vault, records } = open(createMemoryArea())
    await records.write({ sites: ['a'] })
    await local.set({ sites: ['evil'] })
    vault.isLocked = true
    expect(await records.read('sites')).toEqual({ stored: ['evil'], isChanged: false })
    await expect(records.settle({ sites: [] })).rejects.toThrow(RecordsLockedError)
    vault.isLocked = false
    expect((await records.read('sites')).isChanged).toBe(true)
  })

  it('are free before there is a wallet', async () => {
    const { vault, records } = open(createMemoryArea())
    vault.isLocked = true
    await records.write({ sites: ['a'] })
    vault.isLocked = false
    expect(await records.read('sites')).toEqual({ stored: ['a'], isChanged: false })
  })

  it('are the old or the new ones wherever a write ends, and never look changed', async () => {
    for (let writes = 0; writes < 8; writes++) {
      const first = open(createMemoryArea())
      await first.records.write({ sites: ['old'] })
      const crashing = createMemoryArea(first.local.dump(), crashAfter(writes))
      await open(crashing, first.vault)
        .records.write({ sites: ['new'] })
        .catch(() => {})
      const { records } = open(createMemoryArea(crashing.dump()), first.vault)
      const { stored, isChanged } = await records.read('sites')
      expect({ writes, isChanged }).toEqual({ writes, isChanged: false })
      expect(['old', 'new']).toContain(String(stored))
    }
  })

  it('of a vault whose key could not be stored are taken anew', async () => {
    const { local, vault, records } = open(createMemoryArea({ sites: ['a'] }))
    const { update } = vault
    vault.update = () => Promise.reject(new Error('full'))
    expect(await records.read('sites')).toEqual({ stored: ['a'], isChanged: false })
    vault.update = update
    expect(await open(local, vault).records.read('sites')).toEqual({
      stored: ['a'],
      isChanged: false,
    })
    expect(vault.secret.recordKey).toMatch(/^[0-9a-f]{64}$/)
  })

  it('are not taken for changed by who reads while they are written', async () => {
    const { local, vault } = open(createMemoryArea())
    const slow = {
      ...local,
      set: async (entries: { [key: string]: unknown }) => {
        for (const [key, value] of Object.entries(entries)) {
          await new Promise(resolve => setTimeout(resolve))
          await local.set({ [key]: value })
        }
      },
    }
    const random = (n: number) => crypto.getRandomValues(new Uint8Array(n))
    const records = createAuthenticRecords({ local: slow, vault, random, parts })
    await records.read('sites')
    const writes = [1, 2, 3].map(n => records.write({ sites: [n] }))
    const reads: boolean[] = []
    for (let i = 0; i < 30; i++) {
      reads.push((await records.read('sites')).isChanged)
      await new Promise(resolve => setTimeout(resolve))
    }
    await Promise.all(writes)
    expect(reads).not.toContain(true)
  })
})

/** The order of members is the browser's own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, sorted(member)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

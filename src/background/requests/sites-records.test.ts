import { describe, expect, it } from 'vitest'
import { ChangedRecordError, type Records, RecordsLockedError } from '../../storage/records.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createPlainRecords } from '../../storage/testing/plain-records.ts'
import { createPlainSites } from './testing/plain-sites.ts'

const SITE = 'https://site.example'
const OTHER = 'https://other.example'

/** Records whose list of grants a locked wallet cannot write, and that somebody else may have changed. */
function open() {
  const area = createMemoryArea()
  const plain = createPlainRecords(area)
  const state = { problem: null as Error | null, isChanged: false, writes: 0 }
  const records: Records = {
    async read(key) {
      return { ...(await plain.read(key)), isChanged: state.isChanged && key === 'sites' }
    },
    async write(entries) {
      if (state.problem && 'sites' in entries) throw state.problem
      state.writes++
      await plain.write(entries)
    },
  }
  const sites = createPlainSites({ records })
  const origins = async () => (await sites.list()).map(({ origin }) => origin)
  return { area, state, sites, origins }
}

describe('a site that is revoked while the wallet is locked', () => {
  it.each([new RecordsLockedError(), new ChangedRecordError('sites')])(
    'is no longer allowed at once, nor after the unlock: %s',
    async problem => {
      const { state, sites, origins, area } = open()
      await sites.grant(SITE, 'a', 'signet')
      await sites.grant(OTHER, 'a', 'signet')
      state.problem = problem
      await sites.revokeAll(SITE)
      expect(await origins()).toEqual([OTHER])
      expect(await sites.isKnown(SITE)).toBe(false)
      // Somebody who writes to storage could give it back until the wallet is open.
      expect(JSON.stringify(area.dump().sites)).toContain(SITE)
      state.problem = null
      await sites.settle()
      expect(JSON.stringify(area.dump().sites)).not.toContain(SITE)
      expect(area.dump()['sites.revoked']).toEqual([])
      expect(await origins()).toEqual([OTHER])
    },
  )

  it('does not stand against a new approval later', async () => {
    const { state, sites, origins } = open()
    await sites.grant(SITE, 'a', 'signet')
    state.problem = new RecordsLockedError()
    await sites.revokeAll(SITE)
    state.problem = null
    await sites.grant(SITE, 'a', 'signet')
    expect(await origins()).toEqual([SITE])
  })

  it('and another one, and an account, are all taken back', async () => {
    const { state, sites, origins } = open()
    await sites.grant(SITE, 'a', 'signet')
    await sites.grant(OTHER, 'a', 'signet')
    await sites.grant(OTHER, 'b', 'signet')
    state.problem = new RecordsLockedError()
    await sites.revoke(SITE, 'a', 'signet')
    await sites.revokeAccount('b')
    expect(await origins()).toEqual([OTHER])
    expect(await sites.isGranted(OTHER, 'a', 'signet')).toBe(true)
  })

  it('is not one that only seems to be where storage itself fails', async () => {
    const { state, sites, area } = open()
    await sites.grant(SITE, 'a', 'signet')
    state.problem = new Error('The disk is full')
    await expect(sites.revokeAll(SITE)).rejects.toThrow('The disk is full')
    expect(area.dump()['sites.revoked']).toEqual([])
  })
})

describe('what was taken back', () => {
  it('is carried out once, and costs nothing where there is none', async () => {
    const { state, sites } = open()
    await sites.grant(SITE, 'a', 'signet')
    const { writes } = state
    await sites.settle()
    expect(state.writes).toBe(writes)
    state.problem = new RecordsLockedError()
    await sites.revokeAll(SITE)
    // Still locked: nothing is lost, and nobody hears of a failure.
    await sites.settle()
    state.problem = new Error('The disk is full')
    await expect(sites.settle()).rejects.toThrow('The disk is full')
    expect(await sites.list()).toEqual([])
  })

  it('is nothing where storage holds something else', async () => {
    const { sites, area, origins } = open()
    await sites.grant(SITE, 'a', 'signet')
    await area.set({ 'sites.revoked': { length: 1 } })
    expect(await origins()).toEqual([SITE])
  })
})

it('of a list that somebody else changed no grant counts', async () => {
  const { state, sites } = open()
  await sites.grant(SITE, 'a', 'signet')
  state.isChanged = true
  expect([await sites.list(), await sites.isKnown(SITE)]).toEqual([[], false])
})

it('a grant that cannot be stored is none', async () => {
  const { state, sites } = open()
  state.problem = new RecordsLockedError()
  await expect(sites.grant(SITE, 'a', 'signet')).rejects.toThrow(RecordsLockedError)
  expect(await sites.list()).toEqual([])
})

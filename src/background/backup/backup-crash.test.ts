import { describe, expect, it } from 'vitest'
import { StorageCrashError } from '../../storage/testing/memory-area.ts'
import { openBrowser } from '../testing/mortal-browser.ts'
import { type Stop, saveWorld } from '../testing/mortal-worker.ts'
import { startWorker } from '../testing/test-wallet.ts'
import {
  BACKUP_PASSWORD,
  createBackup,
  elsewhere,
  readViews,
  startFresh,
  startFull,
} from './testing/full-wallet.ts'

const password = BACKUP_PASSWORD

/** A file of everything, and a new wallet that has a contact of its own. */
async function prepare() {
  const full = await startFull()
  const file = await createBackup(full.worker)
  const world = elsewhere(full.world)
  const worker = await startFresh(world)
  const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
  await worker.ui('saveContact', { id: null, name: 'Carol', address })
  const { digest, sections } = await worker.ui('reviewBackup', { file, password })
  const parts = sections.map(({ part }) => part)
  return { world, order: { file, password, digest, parts } }
}

/** All that a restore may change; of jobs that they are there, as how far they are is the network's word. */
async function readStored(makeWorld: () => ReturnType<typeof elsewhere>) {
  const views = await readViews(startWorker(makeWorld()))
  const ofAccounts = views.ofAccounts.map(({ jobs, mints, ...rest }) => {
    return { ...rest, jobs: [...jobs, ...mints].map(job => Object(job).id) }
  })
  return JSON.stringify({ ...views, ofAccounts })
}

describe('a restore whose worker is killed', () => {
  it('at any write or question to a server is whole or was never begun, and is whole once it was asked for again', async () => {
    const { world, order } = await prepare()
    const makeWorld = saveWorld(world)
    const before = await readStored(makeWorld)
    const restored = makeWorld()
    await startWorker(restored).ui('restoreBackup', order)
    const whole = await readStored(saveWorld(restored))
    expect(whole).not.toBe(before)

    const spared = openBrowser(makeWorld(), null)
    await spared.ask('restoreBackup', order)
    const points = spared.worker().life.spare()
    spared.close()
    expect(points.length).toBeGreaterThan(3)
    const seen = new Set<string>()
    for (const at of points.keys()) {
      for (const when of ['before', 'after'] as const) {
        const stop: Stop = { at, when }
        const crashed = makeWorld()
        const browser = openBrowser(crashed, stop)
        await browser.ask('restoreBackup', order).catch(() => {})
        await browser.whenQuiet()
        browser.close()
        const found = await readStored(saveWorld(crashed))
        expect([before, whole], `${when} ${points[at]}`).toContain(found)
        seen.add(found)
        await startWorker(crashed).ui('restoreBackup', order)
        expect(await readStored(saveWorld(crashed)), `again, ${when} ${points[at]}`).toBe(whole)
      }
    }
    expect(seen.size).toBe(2)
  })

  it('loses nothing that was there even where storage would write key by key', async () => {
    const { world, order } = await prepare()
    const makeWorld = saveWorld(world)
    for (let writes = 0; ; writes++) {
      const crashed = makeWorld()
      const { area, isDead } = writeKeyByKey(crashed.local, writes)
      const answer = startWorker({ ...crashed, local: area }).ui('restoreBackup', order)
      const error = await answer.then(
        () => null,
        cause => cause,
      )
      const { ui } = startWorker(crashed)
      const contacts = await ui('getContacts', null)
      expect(contacts.map(({ name }) => name)).toContain('Carol')
      expect((await ui('getState', null)).accounts.length).toBeGreaterThanOrEqual(2)
      if (!isDead()) {
        expect(error).toBeNull()
        expect(writes).toBeGreaterThan(10)
        return
      }
    }
  })
})

/** Storage that dies after so many keys, within a call too. */
function writeKeyByKey(
  local: ReturnType<typeof elsewhere>['local'],
  writes: number,
): { area: typeof local; isDead(): boolean } {
  let left = writes
  let isDead = false
  const area = {
    ...local,
    async set(entries: { [key: string]: unknown }) {
      for (const [key, value] of Object.entries(entries)) {
        if (left-- <= 0) isDead = true
        if (isDead) throw new StorageCrashError('dead')
        await local.set({ [key]: value })
      }
    },
    async remove(keys: string | string[]) {
      if (left-- <= 0) isDead = true
      if (isDead) throw new StorageCrashError('dead')
      await local.remove(keys)
    },
  }
  return { area, isDead: () => isDead }
}

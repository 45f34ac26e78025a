import { describe, expect, it, vi } from 'vitest'
import {
  createWorld,
  decideNext,
  openPage,
  PASSWORD,
  startUnlocked,
  startWorker,
  type World,
} from '../testing/test-wallet.ts'

const SITE = 'https://dapp.example'
const EVIL = 'https://evil.example'
const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** An unlocked wallet with one of each record, and its account. */
async function startWithRecords() {
  const world = createWorld()
  const worker = await startUnlocked(world)
  const page = openPage(worker, SITE)
  const connected = page.call('connect')
  await decideNext(worker, 'approve')
  await connected
  await worker.ui('saveContact', { id: null, name: 'Alice', address: ADDRESS })
  await worker.ui('setServer', { network: 'regtest', kind: 'price', url: 'https://own.example' })
  const { settings, accountId } = await worker.ui('getState', null)
  const expert = { ...settings.expert, holdSmallCoins: true }
  await worker.ui('changeSettings', { expert })
  return { world, worker, accountId: accountId ?? '' }
}

/** What a compromised content script, or another program, can do; the next worker reads it. */
async function forge(world: World, entries: { [key: string]: unknown }) {
  await world.local.set(entries)
  return startWorker(world)
}

describe('what somebody else writes into the wallet’s storage', () => {
  it('is nothing after the wallet’s own work, across workers and locks', async () => {
    const { world, worker } = await startWithRecords()
    await worker.ui('lock', null)
    const next = startWorker(world)
    expect(await next.ui('getState', null)).toMatchObject({ hasChangedRecords: false })
    await next.ui('unlock', { password: PASSWORD })
    expect(await next.ui('getState', null)).toMatchObject({ hasChangedRecords: false })
    await next.ui('changePassword', { current: PASSWORD, next: 'another horse battery' })
    expect(await startWorker(world).ui('getChangedRecords', null)).toMatchObject({ records: [] })
    const connection = await openPage(startWorker(world), SITE).call('getAccounts')
    expect(connection).toMatchObject({ result: [expect.any(String)] })
  })

  it('connects no site', async () => {
    const { world, accountId } = await startWithRecords()
    const grant = { origin: EVIL, accountId, network: 'regtest', at: 1 }
    const worker = await forge(world, { sites: [grant] })
    const page = openPage(worker, EVIL)
    expect(await page.call('getAccounts')).toMatchObject({ result: [] })
    expect(await page.call('getBalance')).toMatchObject({ error: { code: 4100 } })
    expect(await worker.ui('getSites', null)).toEqual([])
    expect(await worker.ui('getState', null)).toMatchObject({ hasChangedRecords: true })
    expect(await worker.ui('getChangedRecords', null)).toMatchObject({
      records: [{ record: 'sites', entries: [{ name: EVIL, network: 'regtest' }] }],
    })
  })

  it('puts no address under the name of a contact', async () => {
    const { world } = await startWithRecords()
    const evil = [{ id: '1', name: 'Alice', address: 'bcrt1qevil' }]
    const worker = await forge(world, { contacts: evil })
    expect(await worker.ui('getContacts', null)).toEqual([])
    const saved = worker.ui('saveContact', { id: null, name: 'Bob', address: ADDRESS })
    await expect(saved).rejects.toMatchObject({ code: 4100 })
    expect(world.local.dump().contacts).toEqual(evil)
  })

  it('turns no protection off, and leaves the other settings alone', async () => {
    const { world, worker: before } = await startWithRecords()
    await before.ui('changeSettings', { theme: 'dark' })
    const { settings } = world.local.dump() as { settings: { expert: object } }
    const expert = { ...settings.expert, burnAssets: true }
    const worker = await forge(world, { settings: { ...settings, expert } })
    const { settings: used } = await worker.ui('getState', null)
    expect(used).toMatchObject({ theme: 'dark', expert: { burnAssets: false } })
  })

  it('has no server asked, neither that one nor the default', async () => {
    const { world } = await startWithRecords()
    const worker = await forge(world, { servers: { regtest: { chain: 'https://evil.example' } } })
    await expect(worker.wallet.servers.urls('regtest')).rejects.toThrow('servers: changed')
    await expect(worker.wallet.servers.open('regtest')).rejects.toThrow('servers: changed')
    await expect(worker.ui('getServers', { network: 'regtest' })).rejects.toMatchObject({
      code: 4100,
    })
    expect(await worker.ui('getState', null)).toMatchObject({ hasChangedRecords: true })
  })

  it('is given up when the person discards it', async () => {
    const { world, accountId } = await startWithRecords()
    const grant = { origin: EVIL, accountId, network: 'regtest', at: 1 }
    const worker = await forge(world, {
      sites: [grant],
      contacts: 'x',
      servers: { regtest: { chain: 'https://evil.example' } },
      settings: { theme: 'dark', expert: { burnAssets: true } },
    })
    const { digest, records } = await worker.ui('getChangedRecords', null)
    const names = records.map(({ record }) => record)
    expect(names.sort()).toEqual(['contacts', 'servers', 'sites', 'switches'])
    await worker.ui('settleChangedRecords', { digest, keep: false })
    const next = startWorker(world)
    expect(await next.ui('getState', null)).toMatchObject({
      hasChangedRecords: false,
      settings: { theme: 'dark', expert: { burnAssets: false } },
    })
    expect(await next.ui('getSites', null)).toEqual([])
    expect(await next.ui('getContacts', null)).toEqual([])
    expect((await next.ui('getServers', { network: 'regtest' })).some(s => s.custom)).toBe(false)
    await next.ui('saveContact', { id: null, name: 'Bob', address: ADDRESS })
  })

  it('counts when the person says so, as it was shown and not as it became since', async () => {
    const { world } = await startWithRecords()
    const contacts = [{ id: '1', name: 'Carol', address: ADDRESS }]
    const worker = await forge(world, { contacts })
    const { digest } = await worker.ui('getChangedRecords', null)
    await world.local.set({ contacts: [{ ...contacts[0], address: 'bcrt1qevil' }] })
    const settled = startWorker(world).ui('settleChangedRecords', { digest, keep: true })
    await expect(settled).rejects.toMatchObject({ code: -32602 })
    await world.local.set({ contacts })
    await startWorker(world).ui('settleChangedRecords', { digest, keep: true })
    expect(await startWorker(world).ui('getContacts', null)).toEqual(contacts)
  })

  it('cannot be settled while the wallet is locked', async () => {
    const { world, worker } = await startWithRecords()
    await worker.ui('lock', null)
    const next = await forge(world, { contacts: [] })
    const { digest, records } = await next.ui('getChangedRecords', null)
    expect(records).toEqual([])
    const settled = next.ui('settleChangedRecords', { digest, keep: true })
    await expect(settled).rejects.toMatchObject({ code: 4100 })
    await next.ui('unlock', { password: PASSWORD })
    expect(await next.ui('getState', null)).toMatchObject({ hasChangedRecords: true })
  })
})

describe('a site that is disconnected while the wallet is locked', () => {
  it('stays so after the unlock, by its own wish or as it is blocked', async () => {
    for (const end of ['disconnect', 'block'] as const) {
      const { world, worker } = await startWithRecords()
      await worker.ui('lock', null)
      const page = openPage(worker, SITE)
      if (end === 'disconnect') expect(await page.call('disconnect')).toHaveProperty('result')
      else {
        await worker.ui('blockSite', { origin: SITE })
        await worker.ui('unblockSite', { origin: SITE })
      }
      const next = startWorker(world)
      await next.ui('unlock', { password: PASSWORD })
      expect(await next.ui('getState', null)).toMatchObject({ hasChangedRecords: false })
      expect(await next.ui('getSites', null)).toEqual([])
      expect(await openPage(next, SITE).call('getAccounts')).toMatchObject({ result: [] })
      const again = openPage(next, SITE, 2)
      const connected = again.call('connect')
      await decideNext(next, 'approve')
      await connected
      expect(await again.call('getAccounts')).toMatchObject({ result: [expect.any(String)] })
    }
  })

  it('is not given back by who forgets that it was, once the wallet has been open', async () => {
    const { world, worker } = await startWithRecords()
    await worker.ui('lock', null)
    await openPage(worker, SITE).call('disconnect')
    await worker.ui('unlock', { password: PASSWORD })
    const next = await forge(world, { 'sites.revoked': [] })
    expect(await next.ui('getSites', null)).toEqual([])
    expect(await openPage(next, SITE).call('getAccounts')).toMatchObject({ result: [] })
  })

  it('keeps nobody out of the wallet where the disk is full, and stays disconnected', async () => {
    const { world, worker } = await startWithRecords()
    await worker.ui('lock', null)
    await openPage(worker, SITE).call('disconnect')
    const { set } = world.local
    world.local.set = async entries => {
      if ('sites' in entries) throw new Error('the disk is full')
      return set(entries)
    }
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(await worker.ui('unlock', { password: PASSWORD })).toEqual({ unlocked: true })
    expect(logged).toHaveBeenCalled()
    logged.mockRestore()
    expect(await openPage(worker, SITE).call('getAccounts')).toMatchObject({ result: [] })
  })
})

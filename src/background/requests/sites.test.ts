import { describe, expect, it } from 'vitest'
import type { Network } from '../../bitcoin/network.ts'
import { announceChange } from '../../inpage/state-events.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createPlainRecords } from '../../storage/testing/plain-records.ts'
import { connectPage, createWorld, nextApproval, startUnlocked } from '../testing/test-wallet.ts'
import { createPlainSites } from './testing/plain-sites.ts'

const SITE = 'https://dapp.example'
const OTHER = 'https://other.example'

async function connectTwo() {
  const world = createWorld()
  const worker = await startUnlocked(world)
  const page = await connectPage(worker, SITE, 1)
  world.clock.now += 1000
  const other = await connectPage(worker, OTHER, 2)
  const { accountId } = await worker.ui('getState', null)
  return { worker, page, other, accountId: accountId ?? '' }
}

type Page = Awaited<ReturnType<typeof connectPage>>

/** The events that a page's handlers saw, by the page script's own rules. */
function eventsOf(page: Page): string[] {
  const events: string[] = []
  page.states().reduce((before, after) => {
    announceChange(before, after, event => events.push(event))
    return after
  })
  return events
}

async function untilTold(page: Page, count: number): Promise<void> {
  for (let turn = 0; page.states().length < count && turn < 1000; turn++) {
    await new Promise(resolve => setTimeout(resolve, 1))
  }
}

describe('a site that is revoked', () => {
  it.each([
    ['as a whole', null],
    ['for its one account', 'account'],
  ] as const)(
    '%s: its page hears disconnect and gets 4100, other pages notice nothing',
    async (_, what) => {
      const { worker, page, other, accountId } = await connectTwo()
      const [told, toldOther] = [page.states().length, other.states().length]
      const grant = what === null ? null : { accountId, network: 'regtest' as const }
      await worker.ui('revokeSite', { origin: SITE, grant })
      await untilTold(page, told + 1)
      expect(eventsOf(page).slice(-2)).toEqual(['accountsChanged', 'disconnect'])
      expect(page.states().at(-1)).toEqual({ account: null, network: null })
      expect(await page.call('getPublicKey')).toMatchObject({ error: { code: 4100 } })
      expect(await page.call('getAccounts')).toMatchObject({ result: [] })
      expect(other.states()).toHaveLength(toldOther)
      expect(await other.call('getPublicKey')).toHaveProperty('result')
    },
  )

  it('has the requests that it left waiting ended with 4100', async () => {
    const { worker, page } = await connectTwo()
    const answer = page.call('signMessage', 'hello')
    await nextApproval(worker)
    await worker.ui('revokeSite', { origin: SITE, grant: null })
    expect(await answer).toMatchObject({ error: { code: 4100 } })
  })

  it('can connect again only with a new approval', async () => {
    const { worker, page } = await connectTwo()
    await worker.ui('revokeSite', { origin: SITE, grant: null })
    void page.call('connect')
    expect(await nextApproval(worker, 'connect')).toMatchObject({ origin: SITE })
  })

  it('keeps what it may see on another network', async () => {
    const { worker, page, accountId } = await connectTwo()
    await worker.ui('selectNetwork', { network: 'signet' })
    const { accountId: onSignet } = await worker.ui('getState', null)
    await worker.wallet.sites.grant(SITE, onSignet ?? '', 'signet')
    await worker.ui('revokeSite', { origin: SITE, grant: { accountId, network: 'regtest' } })
    expect(await page.call('getPublicKey')).toHaveProperty('result')
  })
})

describe('the list of sites', () => {
  it('has each site once with its accounts by name, newest first', async () => {
    const { worker, accountId } = await connectTwo()
    const { accounts } = await worker.ui('getState', null)
    const name = accounts.find(({ id }) => id === accountId)?.name
    expect(await worker.ui('getSites', null)).toMatchObject([
      { origin: OTHER, grants: [{ accountId, accountName: name, network: 'regtest' }] },
      { origin: SITE, grants: [{ accountId, accountName: name, network: 'regtest' }] },
    ])
  })

  it('is not shown while the wallet is locked', async () => {
    const { worker } = await connectTwo()
    await worker.ui('lock', null)
    await expect(worker.ui('getSites', null)).rejects.toMatchObject({ code: 4100 })
  })

  it.each([
    [{ origin: 5, grant: null }, 'origin'],
    [{ origin: SITE, grant: {} }, 'accountId'],
    [{ origin: SITE, grant: { accountId: 'a', network: 'litecoin' } }, 'network'],
  ])('refuses to revoke %j', async (params, field) => {
    const { worker } = await connectTwo()
    // As a popup of another version could send it.
    await expect(worker.ui('revokeSite', params as never)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(`${field}: expected`),
    })
  })
})

describe('stored grants', () => {
  it('of a removed account go on every network', async () => {
    const sites = createPlainSites()
    await sites.grant(SITE, 'a', 'mainnet')
    await sites.grant(SITE, 'b', 'mainnet')
    await sites.grant(OTHER, 'a', 'signet')
    await sites.revokeAccount('a')
    expect(await sites.list()).toEqual([
      { origin: SITE, accountId: 'b', network: 'mainnet', at: 1 },
    ])
  })

  it('are all kept when one is given while another is taken back', async () => {
    const sites = createPlainSites()
    await sites.grant(SITE, 'a', 'mainnet')
    await Promise.all([sites.grant(OTHER, 'a', 'mainnet'), sites.revokeAll(SITE)])
    expect((await sites.list()).map(({ origin }) => origin)).toEqual([OTHER])
  })

  it('are for one origin, one account and one network, each once, with the time of the last', async () => {
    const clock = { now: 1 }
    const records = createPlainRecords(createMemoryArea())
    const sites = createPlainSites({ records, now: () => clock.now })
    await sites.grant(SITE, 'a', 'mainnet')
    clock.now = 2
    await sites.grant(SITE, 'a', 'mainnet')
    expect(await sites.list()).toEqual([
      { origin: SITE, accountId: 'a', network: 'mainnet', at: 2 },
    ])
    expect(await sites.isGranted(SITE, 'a', 'mainnet')).toBe(true)
    expect(await sites.isGranted(OTHER, 'a', 'mainnet')).toBe(false)
    expect(await sites.isGranted(SITE, 'b', 'mainnet')).toBe(false)
    expect(await sites.isGranted(SITE, 'a', 'signet')).toBe(false)
    expect([await sites.isKnown(SITE), await sites.isKnown(OTHER)]).toEqual([true, false])
  })

  it('are taken back one by one, by site and by account', async () => {
    const sites = createPlainSites()
    const all: [string, string, Network][] = [
      [SITE, 'a', 'mainnet'],
      [SITE, 'a', 'signet'],
      [SITE, 'b', 'mainnet'],
      [OTHER, 'a', 'mainnet'],
    ]
    const left = async () =>
      (await sites.list()).map(({ origin, accountId, network }) => [origin, accountId, network])
    for (const grant of all) await sites.grant(...grant)
    await sites.revoke(SITE, 'a', 'mainnet')
    expect(await left()).toEqual(all.slice(1))
    await sites.revokeAll(SITE)
    expect(await left()).toEqual([all[3]])
    for (const grant of all) await sites.grant(...grant)
    await sites.revokeAccount('a')
    expect(await left()).toEqual([all[2]])
  })

  it('that are not whole are no grants', async () => {
    const grant = { origin: SITE, accountId: 'a', network: 'mainnet', at: 1 }
    const local = createMemoryArea({ sites: [grant, null, 'x', { ...grant, network: 'litecoin' }] })
    expect(await createPlainSites({ local }).list()).toEqual([grant])
  })
})

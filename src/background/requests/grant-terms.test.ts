import { describe, expect, it } from 'vitest'
import {
  connectPage,
  createWorld,
  decideNext,
  nextApproval,
  openPage,
  PASSWORD,
  startUnlocked,
  startWorker,
  type Worker,
  type World,
} from '../testing/test-wallet.ts'

const SITE = 'https://dapp.example'
const OTHER = 'https://other.example'
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A page whose connection the person limited when it was asked for. */
async function connectFor(worker: Worker, term: string, origin = SITE) {
  const page = openPage(worker, origin)
  const answer = page.call('connect')
  const { key, digest } = await nextApproval(worker, 'connect')
  await worker.ui('decide', { key, digest, decision: 'approve', input: term })
  expect(await answer).toHaveProperty('result')
  return page
}

/** The person stays at the computer while time passes. */
async function pass(worker: Worker, world: World, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10 * 60_000) {
    world.clock.now += Math.min(left, 10 * 60_000)
    await worker.ui('touch', null)
  }
}

const stored = (world: World) => JSON.stringify(world.local.dump().sites)

/** Until what is written beside an answer is there. */
async function until(isThere: () => boolean): Promise<void> {
  for (let turn = 0; !isThere() && turn < 1000; turn++)
    await new Promise(resolve => setTimeout(resolve, 1))
  expect(isThere()).toBe(true)
}

type Page = ReturnType<typeof openPage>

/** As any site is answered that was never connected. */
async function expectNoGrant(page: Page): Promise<void> {
  expect(await page.call('getAccounts')).toMatchObject({ result: [] })
  expect(await page.call('getPublicKey')).toMatchObject({ error: { code: 4100 } })
  expect(await page.call('signMessage', 'hello')).toMatchObject({ error: { code: 4100 } })
}

describe('a site that is connected for a day', () => {
  it('is answered for a day, and then as one that was never connected', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectFor(worker, 'day')
    await pass(worker, world, DAY - 1)
    expect(await page.call('getPublicKey')).toHaveProperty('result')
    world.clock.now += 1
    await expectNoGrant(page)
    expect(page.states().at(-1)).toEqual({ account: null, network: null })
    void page.call('connect')
    expect(await nextApproval(worker, 'connect')).toMatchObject({
      origin: SITE,
      unfamiliar: { looksLike: null },
    })
  })

  it('has a request that waits then refused with 4100, although it is approved', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectFor(worker, 'day')
    await pass(worker, world, DAY - 60_000)
    const answer = page.call('signMessage', 'hello')
    await nextApproval(worker, 'sign-message')
    world.clock.now += 60_000
    await decideNext(worker, 'approve', 'sign-message')
    expect(await answer).toMatchObject({ error: { code: 4100 } })
  })

  it('has it taken off the approval window where nobody answers', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectFor(worker, 'day')
    await pass(worker, world, DAY - 60_000)
    const answer = page.call('signMessage', 'hello')
    await nextApproval(worker, 'sign-message')
    expect(await worker.wallet.sites.nextEnd()).toBe(world.clock.now + 60_000)
    world.clock.now += 60_000
    // As at the alarm.
    worker.wallet.announce()
    expect(await answer).toMatchObject({ error: { code: 4100 } })
    expect(await worker.ui('getApproval', null)).toBeNull()
  })

  it('stays disconnected when the clock is set back, also for a worker that starts then', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectFor(worker, 'day')
    await pass(worker, world, DAY)
    await expectNoGrant(page)
    await until(() => stored(world) === '[]')
    world.clock.now -= HOUR
    await expectNoGrant(page)
    await expectNoGrant(openPage(startWorker(world), SITE))
  })

  it('is disconnected when the clock is set back before it was connected', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectFor(worker, 'day')
    world.clock.now -= 30_000
    expect(await page.call('getPublicKey')).toHaveProperty('result')
    world.clock.now -= DAY
    await worker.ui('unlock', { password: PASSWORD })
    await expectNoGrant(page)
  })

  it('that ends while the wallet is locked is still disconnected after an unlock at an earlier time', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectFor(worker, 'day')
    await worker.ui('lock', null)
    world.clock.now += DAY
    expect(await page.call('getAccounts')).toMatchObject({ result: [] })
    await until(() => JSON.stringify(world.local.dump()['sites.revoked'] ?? '').includes(SITE))
    world.clock.now -= 2 * HOUR
    await worker.ui('unlock', { password: PASSWORD })
    await expectNoGrant(page)
  })

  it('sees another network no longer than that', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectFor(worker, 'day')
    const answer = page.call('switchNetwork', 'signet')
    await decideNext(worker, 'approve', 'switch-network')
    expect(await answer).toMatchObject({ result: 'signet' })
    expect(await page.call('getPublicKey')).toHaveProperty('result')
    await pass(worker, world, DAY)
    await expectNoGrant(page)
  })

  it('is in no backup', async () => {
    const worker = await startUnlocked()
    await connectFor(worker, 'day')
    await connectPage(worker, OTHER, 2)
    const made = await worker.ui('createBackup', {
      walletPassword: PASSWORD,
      password: 'longer one',
    })
    const file = made.accepted ? made.file : ''
    await worker.ui('revokeAllSites', null)
    const { sections } = await worker.ui('reviewBackup', { file, password: 'longer one' })
    expect(JSON.stringify(sections)).toContain(OTHER)
    expect(JSON.stringify(sections)).not.toContain(SITE)
  })
})

describe('a site that is connected until the wallet locks', () => {
  it('is nobody while it is locked, and after the next unlock', async () => {
    const worker = await startUnlocked()
    const page = await connectFor(worker, 'lock')
    expect(await page.call('getPublicKey')).toHaveProperty('result')
    await worker.ui('lock', null)
    await expectNoGrant(page)
    await worker.ui('unlock', { password: PASSWORD })
    await expectNoGrant(page)
  })

  it('is so when it locks by itself, and when the browser closes', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectFor(worker, 'lock')
    world.clock.now += HOUR
    await worker.ui('unlock', { password: PASSWORD })
    await expectNoGrant(page)
    await connectFor(worker, 'lock')
    await world.session.clear()
    world.clock.now += 1000
    const next = startWorker(world)
    await next.ui('unlock', { password: PASSWORD })
    await expectNoGrant(openPage(next, SITE))
  })

  it('stays connected over a new worker, a use of the wallet and an unlock while it is open', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    await connectFor(worker, 'lock')
    await pass(worker, world, HOUR)
    const next = startWorker(world)
    await next.ui('unlock', { password: PASSWORD })
    expect(await openPage(next, SITE).call('getPublicKey')).toHaveProperty('result')
  })
})

describe('the rule for sites that are not used', () => {
  it('disconnects one that was not used for so many days, and no other', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    const other = await connectPage(worker, OTHER, 2)
    await worker.ui('changeSettings', { disconnectUnusedDays: 30 })
    world.clock.now += 20 * DAY
    await worker.ui('unlock', { password: PASSWORD })
    expect(await other.call('getPublicKey')).toHaveProperty('result')
    await until(() => JSON.stringify(world.local.dump()['sites.uses'] ?? '').includes(OTHER))
    world.clock.now += 10 * DAY
    await worker.ui('unlock', { password: PASSWORD })
    await expectNoGrant(page)
    expect(await other.call('getPublicKey')).toHaveProperty('result')
  })

  it('counts from the connection where there was no use, and does nothing while it is off', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    world.clock.now += 400 * DAY
    await worker.ui('unlock', { password: PASSWORD })
    expect(await worker.wallet.sites.nextEnd()).toBeNull()
    await worker.ui('changeSettings', { disconnectUnusedDays: 365 })
    await expectNoGrant(page)
  })

  it.each([0, 1, '30', 31])('cannot be %j days', async days => {
    const worker = await startUnlocked()
    await expect(
      worker.ui('changeSettings', { disconnectUnusedDays: days } as never),
    ).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('30, 90, 365') })
  })
})

describe('when a site was used last', () => {
  it('is kept to the hour, with one write in that hour', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    const uses = () => JSON.stringify(world.local.dump()['sites.uses'] ?? {})
    const writes: string[] = []
    const { set } = world.local
    world.local.set = entries => {
      if ('sites.uses' in entries) writes.push(JSON.stringify(entries))
      return set(entries)
    }
    const first = world.clock.now
    for (let call = 0; call < 20; call++) await page.call('getAccounts')
    await until(() => uses().includes(String(first)))
    expect((await worker.ui('getSites', null))[0]).toMatchObject({ usedAt: first })
    await pass(worker, world, HOUR - 1)
    await openPage(startWorker(world), SITE).call('getAccounts')
    await page.call('getAccounts')
    expect(writes).toHaveLength(1)
    world.clock.now += 1
    await page.call('getAccounts')
    await until(() => uses().includes(String(first + HOUR)))
    expect(writes).toHaveLength(2)
  })

  it('is forgotten with the site', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    await page.call('getAccounts')
    await worker.ui('revokeSite', { origin: SITE, grant: null })
    const other = await connectPage(worker, OTHER, 2)
    await other.call('getAccounts')
    await until(() => JSON.stringify(world.local.dump()['sites.uses']).includes(OTHER))
    expect(JSON.stringify(world.local.dump()['sites.uses'])).not.toContain(SITE)
  })
})

describe('the person', () => {
  it('can limit a site later, and lift that again', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    await worker.ui('limitSite', { origin: SITE, term: 'day' })
    expect((await worker.ui('getSites', null))[0]?.grants[0]).toMatchObject({
      endsAt: world.clock.now + DAY,
      endsWithLock: false,
    })
    await worker.ui('limitSite', { origin: SITE, term: 'lock' })
    expect((await worker.ui('getSites', null))[0]?.grants[0]).toMatchObject({
      endsAt: null,
      endsWithLock: true,
    })
    await worker.ui('limitSite', { origin: SITE, term: 'always' })
    await worker.ui('lock', null)
    world.clock.now += 2 * DAY
    await worker.ui('unlock', { password: PASSWORD })
    expect(await page.call('getPublicKey')).toHaveProperty('result')
  })

  it('cannot give a site leave by that', async () => {
    const worker = await startUnlocked()
    await worker.ui('limitSite', { origin: SITE, term: 'always' })
    await expectNoGrant(openPage(worker, SITE))
  })

  it.each([
    [{ origin: 5, term: 'day' }, 'origin'],
    [{ origin: SITE, term: 'week' }, 'term'],
  ])('is told what is wrong with %j', async (params, field) => {
    const worker = await startUnlocked()
    await expect(worker.ui('limitSite', params as never)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(`${field}: expected`),
    })
  })

  it('is told so where an approval names a term that there is not, which leaves it open', async () => {
    const worker = await startUnlocked()
    const answer = openPage(worker, SITE).call('connect')
    const { key, digest } = await nextApproval(worker, 'connect')
    const decide = { key, digest, decision: 'approve' as const, input: 'ever' }
    await expect(worker.ui('decide', decide)).rejects.toMatchObject({ code: -32602 })
    await decideNext(worker, 'reject')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
  })

  it('disconnects all sites at once: each page hears it, and what it asks ends with 4100', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const other = await connectPage(worker, OTHER, 2)
    const answer = page.call('signMessage', 'hello')
    await nextApproval(worker, 'sign-message')
    await worker.ui('revokeAllSites', null)
    expect(await answer).toMatchObject({ error: { code: 4100 } })
    await until(() => other.states().at(-1)?.account === null)
    expect(other.states().at(-1)).toEqual({ account: null, network: null })
    expect(page.states().at(-1)).toEqual({ account: null, network: null })
    expect(await worker.ui('getSites', null)).toEqual([])
    await expectNoGrant(page)
  })
})

import { describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { inHurry } from '../testing/fast-timers.ts'
import { RECIPIENT, SITE } from '../testing/funded-wallet.ts'
import {
  connectPage,
  createWorld,
  decideNext,
  nextApproval,
  openPage,
  startUnlocked,
  startWorker,
} from '../testing/test-wallet.ts'
import { createPlainSites } from './testing/plain-sites.ts'

const HELLO = { message: 'hello' }

/** A connected page that has asked for something, and the next worker after the one that it asked. */
async function askAndDie(method = 'signMessage', ...params: unknown[]) {
  const world = createWorld()
  const first = await startUnlocked(world)
  const page = await connectPage(first, SITE)
  void page.send('ask', method, ...params)
  await nextApproval(first, 'sign-message')
  const worker = startWorker(world)
  const settle = () => inHurry(() => worker.router.settleOrphans(), 5)
  return { world, worker, settle, params: [method, ...params] as [string, ...unknown[]] }
}

/** Long enough for a page's message to be worked on. */
const turns = () => new Promise(resolve => setTimeout(resolve, 30))

describe('a request that was open when the worker died', () => {
  it('ends where no page comes back for it, and is shown no more', async () => {
    const { worker, settle } = await askAndDie('signMessage', 'hello')
    expect(await worker.ui('getApproval', null)).not.toBeNull()
    await settle()
    expect(await worker.ui('getApproval', null)).toBeNull()
    expect(
      (await worker.wallet.requests.load()).map(({ id, outcome }) => [id, outcome]),
    ).toContainEqual(['ask', { error: expect.objectContaining({ code: 4001 }) }])
  })

  it.each([
    ['signMessage', 'hello'],
    ['leather.signMessage', HELLO],
  ])('goes on where its page sends it again in time: %s', async (method, param) => {
    const { worker, settle } = await askAndDie(method, param)
    const page = openPage(worker, SITE)
    const answer = page.send('ask', method, param)
    await turns()
    await settle()
    await decideNext(worker, 'approve', 'sign-message')
    expect(await answer).toHaveProperty('result')
  })

  it('ends though another page of its site is there', async () => {
    const { worker, settle } = await askAndDie('signMessage', 'hello')
    const other = openPage(worker, SITE, 2)
    const answer = other.send('other', 'signMessage', 'mine')
    await turns()
    await settle()
    const { review } = await decideNext(worker, 'approve', 'sign-message')
    expect(review).toMatchObject({ message: 'mine' })
    expect(await answer).toHaveProperty('result')
    expect(await worker.ui('getApproval', null)).toBeNull()
  })

  it('is not said to be approved where that comes while it ends', async () => {
    const { world, worker, settle } = await askAndDie('signMessage', 'hello')
    const { key = '', digest = '' } = (await worker.ui('getApproval', null)) ?? {}
    const set = world.local.set
    let approving: Promise<boolean> | undefined
    world.local.set = async entries => {
      if ('approvalHistory' in entries)
        approving ??= worker.ui('decide', { key, digest, decision: 'approve' })
      await turns()
      await set(entries)
    }
    await settle()
    expect(await approving).toBe(false)
    const all = { origin: null, answer: 'all', offset: 0, limit: 1 } as const
    const [entry] = (await worker.ui('getApprovalHistory', all)).entries
    expect(entry).toMatchObject({ method: 'signMessage', answer: 'ended' })
  })

  it('and was approved before its page was missed, is said to have failed', async () => {
    const { worker, settle } = await askAndDie('signMessage', 'hello')
    await decideNext(worker, 'approve', 'sign-message')
    await settle()
    const all = { origin: null, answer: 'all', offset: 0, limit: 1 } as const
    const [entry] = (await worker.ui('getApprovalHistory', all)).entries
    expect(entry).toMatchObject({ method: 'signMessage', answer: 'failed' })
  })

  it('and was answered leaves no window open, though nothing else ends', async () => {
    const { world, worker } = await askAndDie('signMessage', 'hello')
    const page = openPage(worker, SITE)
    const answer = page.send('ask', 'signMessage', 'hello')
    await decideNext(worker, 'approve', 'sign-message')
    expect(await answer).toHaveProperty('result')
    const next = startWorker(world)
    world.window.open = true
    await inHurry(() => next.router.settleOrphans(), 5)
    expect(world.window.open).toBe(false)
  })

  it('and was answered keeps its answer for ten minutes', async () => {
    const { world, worker, settle } = await askAndDie('signMessage', 'hello')
    await decideNext(worker, 'reject', 'sign-message')
    const find = async () =>
      (await worker.wallet.requests.load()).find(({ id }) => id === 'ask')?.outcome
    await settle()
    expect(await find()).toMatchObject({ error: { code: 4001 } })
    world.clock.now += 600_000
    await settle()
    expect(await find()).toBeUndefined()
  })
})

describe('a page that leaves', () => {
  it.each([
    ['signMessage', 'hello'],
    ['leather.signMessage', HELLO],
  ])('takes along what waits for an answer to it: %s', async (method, param) => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    void page.send('ask', method, param)
    await nextApproval(worker, 'sign-message')
    await page.leave()
    expect(await worker.ui('getApproval', null)).toBeNull()
  })

  it('takes nothing of another page along', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const other = openPage(worker, SITE, 2)
    void other.send('ask', 'signMessage', 'hello')
    await nextApproval(worker, 'sign-message')
    await page.leave()
    await turns()
    expect(await worker.ui('getApproval', null)).not.toBeNull()
  })
})

describe('while an account without a key is in use', () => {
  it('a site that is known hears that it is only watched, and others that they are not connected', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const watched = await worker.ui('watchAddress', { address: RECIPIENT, name: 'Vault' })
    await worker.ui('selectAccount', { accountId: watched.id })
    for (const method of ['signMessage', 'getPublicKey'])
      expect(await page.call(method, 'hello')).toMatchObject({
        error: { code: 4100, message: expect.stringContaining('only watched') },
      })
    const stranger = openPage(worker, 'https://other.example', 2)
    expect(await stranger.call('signMessage', 'hello')).toMatchObject({
      error: { code: 4100, message: expect.stringContaining('Not connected') },
    })
  })

  it('a site that is known but not by this account hears that it is not connected', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const { id } = await worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Other' })
    await worker.ui('selectAccount', { accountId: id })
    expect(await page.call('signMessage', 'hello')).toMatchObject({
      error: { code: 4100, message: expect.stringContaining('Not connected') },
    })
  })
})

describe('a site that asks in another wallet’s words', () => {
  it('may ask for the password where it is known, and not where it is not', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const stranger = openPage(worker, 'https://other.example', 2)
    await worker.ui('lock', null)
    const shown = await worker.ui('getApproval', null)
    expect(await stranger.call('leather.signMessage', HELLO)).toMatchObject({
      error: { code: 4100 },
    })
    expect(await worker.ui('getApproval', null)).toEqual(shown)
    void page.call('leather.signMessage', HELLO)
    expect((await nextApproval(worker)).review.kind).toBe('unlock')
  })

  it('is told no at once where the wallet is open and this account has not allowed it', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const { id } = await worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Other' })
    await worker.ui('selectAccount', { accountId: id })
    expect(await page.call('leather.signMessage', HELLO)).toMatchObject({ error: { code: 4100 } })
    expect(await worker.ui('getApproval', null)).toBeNull()
  })
})

describe('stored grants', () => {
  const grant = { origin: SITE, accountId: 'a', network: 'mainnet', at: 1 }

  it.each(['origin', 'accountId', 'network', 'at'])('without a right %s are none', async member => {
    for (const value of [undefined, null, {}, member === 'at' ? '1' : 1]) {
      const local = createMemoryArea({ sites: [{ ...grant, [member]: value }, grant] })
      const sites = createPlainSites({ local })
      expect(await sites.list()).toEqual([grant])
    }
  })
})

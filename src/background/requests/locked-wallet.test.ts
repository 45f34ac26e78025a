import { describe, expect, it, vi } from 'vitest'
import {
  connectPage,
  createWorld,
  decideNext,
  nextApproval,
  openPage,
  PASSWORD,
  startUnlocked,
} from '../testing/test-wallet.ts'

const SITE = 'https://dapp.example'

describe('a locked wallet', () => {
  it('looks unconnected to a connected page', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    await worker.ui('lock', null)
    expect(await page.call('getAccounts')).toMatchObject({ result: [] })
    expect(await page.call('getBalance')).toMatchObject({ error: { code: 4100 } })
    expect(page.states().at(-1)).toEqual({ account: null, network: 'regtest' })
  })

  it('asks to be unlocked for a known page, then goes on with the request', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    await worker.ui('lock', null)
    const answer = page.call('signMessage', 'hello')
    expect(await nextApproval(worker)).toMatchObject({
      origin: SITE,
      account: null,
      review: { kind: 'unlock', method: 'signMessage' },
    })
    await worker.ui('unlock', { password: PASSWORD })
    await decideNext(worker, 'approve', 'sign-message')
    expect(await answer).toHaveProperty('result')
  })

  it('unlocked for a connected page answers connect without another question', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    await worker.ui('lock', null)
    const answer = page.call('connect')
    await nextApproval(worker, 'unlock')
    await worker.ui('unlock', { password: PASSWORD })
    expect(await answer).toHaveProperty('result.address')
  })

  it('refuses an unknown page at once', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    await worker.ui('lock', null)
    const answer = await openPage(worker, SITE).call('signMessage', 'hello')
    expect(answer).toMatchObject({ error: { code: 4100 } })
    expect(world.window.shown).toBe(0)
  })
})

describe('a wallet that is locked while it asks', () => {
  it('asks for the unlock in the same window, then the question again', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const answer = page.call('signMessage', 'hello')
    await nextApproval(worker, 'sign-message')
    await worker.ui('lock', null)
    const locked = await nextApproval(worker)
    expect(locked).toMatchObject({ account: null, review: { kind: 'unlock' } })
    const { key, digest } = locked
    await expect(worker.ui('decide', { key, digest, decision: 'approve' })).rejects.toThrow()
    await worker.ui('unlock', { password: PASSWORD })
    await decideNext(worker, 'approve', 'sign-message')
    expect(await answer).toHaveProperty('result')
  })

  it('is another question then, so that a screen which has seen the unlock shows the one behind it at once', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const answer = page.call('signMessage', 'hello')
    const { key, digest } = await nextApproval(worker, 'sign-message')
    await worker.ui('lock', null)
    const locked = await nextApproval(worker, 'unlock')
    expect(locked.key).toBe(key)
    expect(locked.digest).not.toBe(digest)
    await worker.ui('unlock', { password: PASSWORD })
    expect(await nextApproval(worker, 'sign-message')).toMatchObject({ key, digest })
    await decideNext(worker, 'reject', 'sign-message')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
  })

  it('lets a page disconnect for good', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    await worker.ui('lock', null)
    expect(await page.call('disconnect')).toMatchObject({ result: null })
    await worker.ui('unlock', { password: PASSWORD })
    expect(await page.call('getAccounts')).toMatchObject({ result: [] })
  })

  it('keeps no address in session storage, nor in answers given before', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    await connectPage(worker, SITE)
    await worker.ui('lock', null)
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(JSON.stringify(world.session.dump())).not.toMatch(/bcrt1|"0[23][0-9a-f]{64}"/)
  })

  it('in the moment in which an answer is stored, leaves it to the page', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const answer = openPage(worker, SITE).call('connect')
    const { set } = world.session
    world.session.set = async entries => {
      await set(entries)
      if (!JSON.stringify(entries).includes('"outcome":{"result"')) return
      world.session.set = set
      // The browser takes its time to say that it was written.
      void worker.ui('lock', null)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    await decideNext(worker, 'approve', 'connect')
    expect(await answer).toMatchObject({ result: { address: expect.stringContaining('bcrt1') } })
    expect(worker.logged).toEqual([])
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(JSON.stringify(world.session.dump())).not.toContain('bcrt1')
  })

  it('in the moment in which a request ends, leaves the page its reason', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const other = await worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Other' })
    const { panels } = world.panels
    const { findBeside } = panels
    panels.findBeside = async tabId => {
      panels.findBeside = findBeside
      await worker.ui('selectAccount', { accountId: other.id })
      await vi.waitUntil(async () => (await worker.wallet.requests.load())[0]?.outcome)
      await worker.ui('lock', null)
      return findBeside(tabId)
    }
    expect(await openPage(worker, SITE).call('connect')).toMatchObject({
      error: { code: 4100, message: expect.stringContaining('account in use changed') },
    })
    expect(worker.logged).toEqual([])
  })
})

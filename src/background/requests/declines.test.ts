import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  connectPage,
  createWorld,
  decideNext,
  nextApproval,
  openPage,
  startUnlocked,
  startWorker,
  type Worker,
  type World,
} from '../testing/test-wallet.ts'

const SITE = 'https://dapp.example'
const OTHER = 'https://other.example'
const REJECTED = { error: { code: 4001 } }

afterEach(() => void vi.useRealTimers())

async function rejectTimes(worker: Worker, page: ReturnType<typeof openPage>, times: number) {
  for (let turn = 0; turn < times; turn++) {
    const answer = page.call('connect')
    await decideNext(worker, 'reject', 'connect')
    expect(await answer).toMatchObject(REJECTED)
  }
}

const countWaiting = async (worker: Worker) => (await worker.ui('getState', null)).pendingApprovals

function openNothing(world: World) {
  const { shown } = world.window
  return { assert: () => expect(world.window.shown).toBe(shown) }
}

describe('after three noes within a minute', () => {
  it('a request waits without a window, and the person finds it', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = openPage(worker, SITE)
    await rejectTimes(worker, page, 3)
    expect(world.window.shown).toBe(3)
    const nothing = openNothing(world)
    void page.call('connect')
    await nextApproval(worker)
    await new Promise(resolve => setTimeout(resolve, 20))
    nothing.assert()
    expect(await countWaiting(worker)).toBe(1)
    await worker.ui('showApprovals', null)
    expect(world.window.shown).toBe(4)
    expect(await worker.ui('getApproval', null)).toMatchObject({ origin: SITE, wasDeclined: true })
  })

  it('the window closes though the site has asked again', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = openPage(worker, SITE)
    await rejectTimes(worker, page, 3)
    void page.call('connect')
    await nextApproval(worker)
    expect(await worker.ui('closeApprovals', null)).toBe(true)
    expect(await countWaiting(worker)).toBe(1)
  })

  it('the window that the person opened for one stays while other pages leave', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'], shouldAdvanceTime: true })
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = openPage(worker, SITE)
    await rejectTimes(worker, page, 3)
    await vi.advanceTimersByTimeAsync(6_000)
    expect(world.window.open).toBe(false)
    const answer = page.call('connect')
    await nextApproval(worker)
    await worker.ui('showApprovals', null)
    await openPage(worker, OTHER, 2).leave()
    await vi.advanceTimersByTimeAsync(6_000)
    expect(world.window.open).toBe(true)
    await decideNext(worker, 'reject', 'connect')
    expect(await answer).toMatchObject(REJECTED)
    // What the site asks after that was not looked for.
    void page.call('connect')
    await nextApproval(worker)
    await vi.advanceTimersByTimeAsync(6_000)
    expect(world.window.open).toBe(false)
  })

  it('another site has its window', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    await rejectTimes(worker, openPage(worker, SITE), 3)
    void openPage(worker, OTHER).call('connect')
    await nextApproval(worker)
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(world.window.shown).toBe(4)
    expect(await worker.ui('getApproval', null)).toMatchObject({ wasDeclined: false })
  })

  it('a window opens again after a minute', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = openPage(worker, SITE)
    await rejectTimes(worker, page, 3)
    world.clock.now += 59_999
    const nothing = openNothing(world)
    void page.call('requestAccounts')
    await nextApproval(worker)
    await new Promise(resolve => setTimeout(resolve, 20))
    nothing.assert()
    world.clock.now += 1
    void page.call('connect')
    while (world.window.shown < 4) await new Promise(resolve => setTimeout(resolve, 1))
  })

  it('that lie further apart a window opens as ever', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = openPage(worker, SITE)
    await rejectTimes(worker, page, 2)
    world.clock.now += 60_000
    await rejectTimes(worker, page, 2)
    expect(world.window.shown).toBe(4)
  })

  it('a yes starts anew', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = openPage(worker, SITE)
    await rejectTimes(worker, page, 3)
    const answer = page.call('connect')
    await decideNext(worker, 'approve', 'connect')
    await answer
    void page.call('signMessage', 'hello')
    while (world.window.shown < 4) await new Promise(resolve => setTimeout(resolve, 1))
  })

  it('closed windows count too, once each; so it is for another worker, and for a locked wallet', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    for (let turn = 0; turn < 3; turn++) {
      const answers = [page.call('signMessage', 'a'), page.call('signMessage', 'b')]
      while ((await countWaiting(worker)) < 2) await new Promise(resolve => setTimeout(resolve, 1))
      await worker.wallet.approvals.rejectAll()
      for (const answer of await Promise.all(answers)) expect(answer).toMatchObject(REJECTED)
    }
    expect(world.window.shown).toBe(1 + 6)
    await worker.ui('lock', null)
    const second = startWorker(world)
    void openPage(second, SITE, 2).call('signMessage', 'c')
    await nextApproval(second, 'unlock')
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(world.window.shown).toBe(1 + 6)
  })
})

describe('a blocked site', () => {
  it('is disconnected, and gets 4001 at once for what waits and for all that it asks', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    const waiting = page.call('signMessage', 'hello')
    await nextApproval(worker, 'sign-message')
    await worker.ui('blockSite', { origin: SITE })
    expect(await waiting).toMatchObject(REJECTED)
    const nothing = openNothing(world)
    const methods = ['connect', 'signMessage', 'getAccounts', 'getNetwork', 'unisat.getPublicKey']
    for (const method of [...methods, 'satsConnect.wallet_connect', 'leather.getAddresses'])
      expect(await page.call(method, 'hello')).toMatchObject(REJECTED)
    nothing.assert()
    expect(page.states().at(-1)).toEqual({ account: null, network: null })
    expect(await worker.ui('getSites', null)).toEqual([])
    expect(await worker.ui('getBlockedSites', null)).toEqual([
      { origin: SITE, at: world.clock.now },
    ])
  })

  it('is that origin and no other, in the next worker too', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    await worker.ui('blockSite', { origin: SITE })
    const next = startWorker(world)
    expect(await openPage(next, SITE).call('connect')).toMatchObject(REJECTED)
    for (const origin of ['http://dapp.example', 'https://www.dapp.example', `${SITE}:8443`])
      expect(await openPage(next, origin).call('getAccounts')).toMatchObject({ result: [] })
  })

  it('can be blocked by who is asked to unlock, and may ask again once it is unblocked', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    await worker.ui('lock', null)
    const page = openPage(worker, SITE)
    const answer = page.call('connect')
    await nextApproval(worker, 'unlock')
    await worker.ui('blockSite', { origin: SITE })
    expect(await answer).toMatchObject(REJECTED)
    await expect(worker.ui('getBlockedSites', null)).rejects.toMatchObject({ code: 4100 })
    await worker.ui('unblockSite', { origin: SITE })
    void page.call('connect')
    await nextApproval(worker, 'unlock')
  })

  it.each([null, 7, undefined])('has an origin, which %j is not', async origin => {
    const worker = await startUnlocked()
    for (const method of ['blockSite', 'unblockSite'] as const)
      await expect(worker.ui(method, { origin } as never)).rejects.toMatchObject({ code: -32602 })
  })
})

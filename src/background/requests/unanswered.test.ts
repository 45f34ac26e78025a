import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RECIPIENT } from '../testing/funded-wallet.ts'
import {
  connectPage,
  createWorld,
  decideNext,
  nextApproval,
  openPage,
  startUnlocked,
  startWorker,
  type Worker,
} from '../testing/test-wallet.ts'

const SITE = 'https://dapp.example'
const OTHER = 'https://other.example'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'], shouldAdvanceTime: true }))
afterEach(() => void vi.useRealTimers())

/** What closes the window of the questions before is over. */
const closeWindow = () => vi.advanceTimersByTimeAsync(6_000)

async function open() {
  const world = createWorld()
  const worker = await startUnlocked(world)
  return { world, worker }
}

let asked = 0
/** As pages do: under an id that none had before. */
const ask = (page: ReturnType<typeof openPage>, method: string, ...params: unknown[]) =>
  page.send(`ask ${asked++}`, method, ...params)

/** A page asks, its question is there, and it is loaded anew. */
async function askAndLeave(worker: Worker, origin: string, tabId = 1, method = 'connect') {
  const page = openPage(worker, origin, tabId)
  void ask(page, method, ...(method === 'signMessage' ? ['hello'] : []))
  await nextApproval(worker)
  await vi.advanceTimersByTimeAsync(20)
  await page.leave()
}

async function askTimes(worker: Worker, times: number, originOf: (turn: number) => string) {
  for (let turn = 0; turn < times; turn++) await askAndLeave(worker, originOf(turn))
}

const countWaiting = async (worker: Worker) => (await worker.ui('getState', null)).pendingApprovals

describe('a page that asks, is loaded anew and asks again', () => {
  it('has its window five times; after that its question waits behind the toolbar button', async () => {
    const { world, worker } = await open()
    await askTimes(worker, 50, () => SITE)
    expect(world.window.shown).toBe(5)
    const answer = ask(openPage(worker, SITE), 'connect')
    await nextApproval(worker, 'connect')
    await closeWindow()
    expect(world.window).toEqual({ open: false, shown: 5 })
    expect(await countWaiting(worker)).toBe(1)
    await worker.ui('showApprovals', null)
    expect(world.window).toEqual({ open: true, shown: 6 })
    await decideNext(worker, 'approve', 'connect')
    expect(await answer).toHaveProperty('result')
  })

  it('has no more of it for being connected, for another tab, or for another worker', async () => {
    const { world, worker } = await open()
    const page = await connectPage(worker, SITE)
    await page.leave()
    await closeWindow()
    const { shown } = world.window
    for (let turn = 0; turn < 10; turn++) await askAndLeave(worker, SITE, turn, 'signMessage')
    expect(world.window.shown).toBe(shown + 5)
    await askAndLeave(startWorker(world), SITE, 77, 'signMessage')
    expect(world.window.shown).toBe(shown + 5)
  })

  it('has no more of it by another name each time', async () => {
    const { world, worker } = await open()
    await askTimes(worker, 20, turn => `https://a${turn}.example`)
    expect(world.window.shown).toBe(5)
  })

  it('has no more of it while its wallet is locked', async () => {
    const { world, worker } = await open()
    await worker.ui('lock', null)
    await askTimes(worker, 20, () => SITE)
    expect(world.window.shown).toBe(5)
  })

  it('has no more of it for what is still being worked out', async () => {
    const { world, worker: first } = await open()
    const connected = await connectPage(first, SITE)
    // So that the code of a payment is there: time that is made up does not wait for it.
    expect(await ask(connected, 'sendBitcoin', RECIPIENT, 5_000)).toHaveProperty('error')
    await connected.leave()
    await closeWindow()
    const worker = startWorker(world, { preparingAfterMs: 20 })
    world.chain.faults.slowFeesMs = 150
    const { shown } = world.window
    for (let turn = 0; turn < 10; turn++) {
      const page = openPage(worker, SITE)
      void ask(page, 'sendBitcoin', RECIPIENT, 5_000)
      await vi.advanceTimersByTimeAsync(80)
      await page.leave()
      await vi.advanceTimersByTimeAsync(200)
      await askAndLeave(worker, SITE, 1, 'signMessage')
    }
    expect(world.window.shown).toBe(shown + 5)
  })

  it('has its window again ten minutes after the last, and not before', async () => {
    const { world, worker } = await open()
    await askTimes(worker, 6, () => SITE)
    world.clock.now += 599_999
    await askAndLeave(worker, SITE)
    expect(world.window.shown).toBe(5)
    world.clock.now += 600_000
    await askAndLeave(worker, SITE)
    expect(world.window.shown).toBe(6)
  })
})

describe('a site has its window as ever', () => {
  it('where the person answers now and then, yes or no', async () => {
    const { world, worker } = await open()
    for (const decision of ['reject', 'approve', 'approve'] as const) {
      await askTimes(worker, 4, () => SITE)
      const answer = ask(openPage(worker, SITE), 'connect')
      await decideNext(worker, decision, 'connect')
      await answer
      await worker.ui('revokeSite', { origin: SITE, grant: null })
    }
    expect(world.window.shown).toBe(15)
  })

  it('where the person closes it', async () => {
    const { world, worker } = await open()
    await askTimes(worker, 4, () => SITE)
    const answer = ask(openPage(worker, SITE), 'connect')
    await nextApproval(worker)
    await worker.wallet.approvals.rejectAll()
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    await askTimes(worker, 4, () => SITE)
    expect(world.window.shown).toBe(9)
  })

  it('where others were left unanswered in other tabs', async () => {
    const { world, worker } = await open()
    await askTimes(worker, 10, () => SITE)
    await askAndLeave(worker, OTHER, 2)
    expect(world.window.shown).toBe(6)
  })

  it('where its pages leave while nothing is asked', async () => {
    const { world, worker } = await open()
    for (let turn = 0; turn < 10; turn++) {
      const page = openPage(worker, SITE)
      await page.call('getAccounts')
      await page.leave()
    }
    await askAndLeave(worker, SITE)
    expect(world.window.shown).toBe(1)
  })

  it('where one page asks for much at once and leaves', async () => {
    const { world, worker } = await open()
    const page = await connectPage(worker, SITE)
    for (const text of ['a', 'b', 'c', 'd', 'e']) void page.call('signMessage', text)
    await vi.waitUntil(async () => (await countWaiting(worker)) === 5)
    await page.leave()
    await closeWindow()
    const { shown } = world.window
    await askAndLeave(worker, SITE, 1, 'signMessage')
    expect(world.window.shown).toBe(shown + 1)
  })
})

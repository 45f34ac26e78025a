import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RECIPIENT, SITE, selectedAccount } from '../testing/funded-wallet.ts'
import { foreign } from '../testing/signed-transactions.ts'
import {
  connectPage,
  createWorld,
  decideNext,
  fund,
  nextApproval,
  openPage,
  PASSWORD,
  startUnlocked,
  startWorker,
  type Worker,
} from '../testing/test-wallet.ts'

/** A server whose fee rates take longer than the person is left without a sign. */
const SLOW = { preparingAfterMs: 20 }
const SLOW_MS = 400

const OTHER = 'https://other.example'

const REJECTED = { error: { code: 4001 } }

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'], shouldAdvanceTime: true }))
afterEach(() => void vi.useRealTimers())

async function open(sats = 100_000n) {
  const world = createWorld()
  const first = await startUnlocked(world)
  fund(world, (await selectedAccount(first)).address, sats)
  await connectPage(first, SITE)
  world.chain.faults.slowFeesMs = SLOW_MS
  // What closes windows after the unlocking and the connection is over.
  await vi.advanceTimersByTimeAsync(6_000)
  world.window = { open: false, shown: 0 }
  const worker = startWorker(world, SLOW)
  return { world, worker, page: openPage(worker, SITE) }
}

const PAYMENT = [RECIPIENT, 5_000] as const

const rejectNext = (worker: Worker) => decideNext(worker, 'reject', 'preparing')

describe('a request that takes a moment to work out', () => {
  it('is shown with who asks; then its question stands in the same window, and is what counts', async () => {
    const { world, worker, page } = await open()
    const answer = page.call('sendBitcoin', ...PAYMENT)
    const { key, digest, origin, account, position, total } = await nextApproval(
      worker,
      'preparing',
    )
    expect({ origin, position, total }).toEqual({ origin: SITE, position: 1, total: 1 })
    expect(account).toMatchObject({ id: (await selectedAccount(worker)).id })
    expect(world.window).toEqual({ open: true, shown: 1 })
    // Whoever approves what is not shown yet has approved nothing.
    await worker.ui('decide', { key, digest, decision: 'approve' })
    const question = await nextApproval(worker, 'payment')
    expect(question).toMatchObject({ key, review: { recipients: [{ address: RECIPIENT }] } })
    expect(question.digest).not.toBe(digest)
    await expect(worker.ui('decide', { key, digest, decision: 'approve' })).rejects.toThrow(
      'not what was asked',
    )
    await decideNext(worker, 'approve', 'payment')
    expect(await answer).toHaveProperty('result')
  })

  it('is rejected before its question comes, and then asks nothing', async () => {
    const { world, worker, page } = await open()
    const before = world.chain.broadcasts.length
    const answer = page.call('sendBitcoin', ...PAYMENT)
    await rejectNext(worker)
    expect(await answer).toMatchObject(REJECTED)
    expect(await worker.ui('getApproval', null)).toBeNull()
    expect(world.chain.broadcasts).toHaveLength(before)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(world.window.open).toBe(false)
    // The person's answer is one: the next request is shown likewise.
    const again = page.call('sendBitcoin', ...PAYMENT)
    await rejectNext(worker)
    await again
  })

  it('is rejected at once, however long its server takes', async () => {
    const { world, worker, page } = await open()
    world.chain.faults.slowFeesMs = 10 * 60_000
    const answer = page.call('sendBitcoin', ...PAYMENT)
    await rejectNext(worker)
    expect(await answer).toMatchObject(REJECTED)
  })

  it('comes after the questions of others, which can be answered', async () => {
    const { worker, page } = await open()
    const other = await connectPage(worker, OTHER)
    const answer = page.call('sendBitcoin', ...PAYMENT)
    await nextApproval(worker, 'preparing')
    const signed = other.call('signMessage', 'hello')
    const asked = await nextApproval(worker, 'sign-message')
    expect(asked).toMatchObject({ origin: OTHER, total: 2 })
    await decideNext(worker, 'approve', 'sign-message')
    expect(await signed).toHaveProperty('result')
    await decideNext(worker, 'reject')
    expect(await answer).toMatchObject(REJECTED)
  })

  it('whose tab leaves before its window opens, opens none', async () => {
    const { world } = await open()
    const worker = startWorker(world, { preparingAfterMs: 2_000 })
    world.chain.faults.slowFeesMs = 10_000
    const page = openPage(worker, SITE)
    void page.call('sendBitcoin', ...PAYMENT)
    await vi.waitUntil(async () =>
      (await worker.wallet.requests.load()).some(({ outcome }) => !outcome),
    )
    await page.leave()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(world.window.shown).toBe(0)
  })

  it('ends with its window, as any question does', async () => {
    const { worker, page } = await open()
    const answer = page.call('sendBitcoin', ...PAYMENT)
    await nextApproval(worker, 'preparing')
    await worker.wallet.approvals.rejectAll()
    expect(await answer).toMatchObject(REJECTED)
  })

  it('that fails says why, lets the window close, and opens none for this site until it asks something', async () => {
    const { world, worker, page } = await open(1_000n)
    const answer = page.call('sendBitcoin', ...PAYMENT)
    const { key } = await nextApproval(worker, 'preparing')
    expect(await worker.ui('getEndedRequest', { key })).toBeNull()
    const { error } = (await answer) as { error: object }
    expect(error).toMatchObject({ code: -32000, data: { reason: 'INSUFFICIENT_FUNDS' } })
    expect(await worker.ui('getEndedRequest', { key })).toEqual(error)
    // A window that was too slow to show it asks for the last one.
    expect(await worker.ui('getEndedRequest', { key: null })).toEqual(error)
    expect(await worker.ui('getApproval', null)).toBeNull()
    await vi.advanceTimersByTimeAsync(4_000)
    expect(world.window.open).toBe(true)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(world.window).toEqual({ open: false, shown: 1 })

    await page.call('sendBitcoin', ...PAYMENT)
    expect(world.window.shown).toBe(1)
    const signed = page.call('signMessage', 'hello')
    await decideNext(worker, 'approve', 'sign-message')
    await signed
    const again = page.call('sendBitcoin', ...PAYMENT)
    await nextApproval(worker, 'preparing')
    await again
    expect(world.window.shown).toBe(3)
  })

  it('that fails says why for as long while pages leave that asked nothing', async () => {
    const { world, worker, page } = await open(1_000n)
    const other = openPage(worker, OTHER, 2)
    const answer = page.call('sendBitcoin', ...PAYMENT)
    await nextApproval(worker, 'preparing')
    expect(await answer).toMatchObject({ error: { code: -32000 } })
    await other.leave()
    await vi.advanceTimersByTimeAsync(4_000)
    expect(world.window.open).toBe(true)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(world.window.open).toBe(false)
  })

  it('shows itself after an unlock, too', async () => {
    const { worker, page } = await open()
    await worker.ui('lock', null)
    const answer = page.call('sendBitcoin', ...PAYMENT)
    await nextApproval(worker, 'unlock')
    await worker.ui('unlock', { password: PASSWORD })
    await rejectNext(worker)
    expect(await answer).toMatchObject(REJECTED)
  })

  it('shows itself where the unlock came before anybody was asked for it, too', async () => {
    const { world, worker, page } = await open()
    await worker.ui('lock', null)
    let find = () => {}
    const found = new Promise<null>(resolve => {
      find = () => resolve(null)
    })
    const looking = vi.spyOn(world.panels.panels, 'findBeside').mockReturnValue(found)
    const answer = page.call('sendBitcoin', ...PAYMENT)
    await vi.waitFor(() => expect(looking).toHaveBeenCalled())
    await worker.ui('unlock', { password: PASSWORD })
    find()
    expect(await nextApproval(worker)).toMatchObject({ review: { kind: 'preparing' } })
    await rejectNext(worker)
    expect(await answer).toMatchObject(REJECTED)
  })

  it('that a worker leaves behind goes on in the next one', async () => {
    const { world, worker, page } = await open()
    void page.send('one', 'sendBitcoin', ...PAYMENT)
    await nextApproval(worker, 'preparing')
    const next = startWorker(world, SLOW)
    const answer = openPage(next, SITE).send('one', 'sendBitcoin', ...PAYMENT)
    expect(await nextApproval(next)).toMatchObject({ review: { kind: 'preparing' } })
    await decideNext(next, 'reject', 'payment')
    expect(await answer).toMatchObject(REJECTED)
  })

  it('is nothing that the person was asked: what the site asked is kept from its question on', async () => {
    const { worker, page } = await open()
    const answer = page.call('sendBitcoin', ...PAYMENT)
    await rejectNext(worker)
    await answer
    const { entries } = await worker.ui('getApprovalHistory', {
      ...{ origin: SITE, answer: 'all', offset: 0, limit: 10 },
    })
    expect(entries.map(({ question }) => question.kind)).toEqual(['connect'])
  })
})

describe('a request that asks nothing', () => {
  it('since what it sends costs nothing, is sent without a window that says otherwise', async () => {
    const { world, worker, page } = await open()
    const { raw, txid } = foreign({ world })
    const { address } = await selectedAccount(worker)
    const { broadcast } = world.chain.chain
    world.chain.chain.broadcast = async bytes => {
      await vi.advanceTimersByTimeAsync(SLOW_MS)
      return broadcast(bytes)
    }
    const item = { itemId: 'a', signedTx: raw, type: 52 }
    expect(await page.call('sendPsbt', [item], address)).toEqual({
      id: expect.anything(),
      result: [{ a: txid }],
    })
    expect(world.window.shown).toBe(0)
  })
})

describe('a request whose question comes at once', () => {
  it('opens its window once, with the question', async () => {
    const { world } = await open()
    const late = startWorker(world, { preparingAfterMs: 2_000 })
    const answer = openPage(late, SITE).call('signMessage', 'hello')
    await decideNext(late, 'approve', 'sign-message')
    expect(await answer).toHaveProperty('result')
    await vi.advanceTimersByTimeAsync(2_500)
    expect(world.window.shown).toBe(1)
  })

  it('of a site that was told no again and again shows nothing before its turn', async () => {
    const { world, worker, page } = await open()
    world.chain.faults.slowFeesMs = 0
    for (let no = 0; no < 3; no++) {
      const answer = page.call('signMessage', `no ${no}`)
      await decideNext(worker, 'reject', 'sign-message')
      await answer
    }
    const { shown } = world.window
    world.chain.faults.slowFeesMs = SLOW_MS
    const answer = page.call('sendBitcoin', ...PAYMENT)
    await nextApproval(worker, 'payment')
    expect(world.window.shown).toBe(shown)
    await decideNext(worker, 'reject', 'payment')
    await answer
  })
})

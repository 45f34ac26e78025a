import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { unauthorized } from '../../provider/errors.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createApprovalHistory } from '../history/approval-history.ts'
import { createMemoryPanels } from '../testing/memory-panels.ts'
import type { Review } from '../views/approval-views.ts'
import { createApprovals } from './approvals.ts'
import { createDeclines } from './declines.ts'
import { isApproved } from './questions.ts'
import { createRequests, type StoredRequest } from './requests.ts'

const A = 'https://a.example'
const B = 'https://b.example'
const CONNECT = { kind: 'connect' } as Review
const UNLOCK: Review = { kind: 'unlock', method: 'signMessage' }
const MESSAGE: Review = { kind: 'sign-message', message: 'hello', type: 'bip322' }
const network = (to: string) => ({ kind: 'switch-network', to }) as unknown as Review
const AMOUNT = { kind: 'brc20-amount', decimals: 2 } as Review

const REJECTED = { code: 4001 }
const YES = async () => {}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }))
afterEach(() => void vi.useRealTimers())

function open() {
  const session = createMemoryArea()
  const clock = { now: 1_000_000 }
  const seen = { shown: [] as boolean[], closed: 0, changes: 0 }
  const window = {
    wasClosed: false,
    async show(focus: boolean) {
      seen.shown.push(focus)
    },
    async close(isIdle: () => Promise<boolean>) {
      const isOver = await isIdle()
      if (isOver) seen.closed++
      return isOver
    },
    async wasClosedUnseen() {
      return window.wasClosed
    },
  }
  const now = () => clock.now
  const panels = createMemoryPanels()
  const requests = createRequests({ session, now })
  const declines = createDeclines({ session, now })
  const approvals = createApprovals({
    ...{ requests, window, panels: panels.panels, declines, now },
    onChange: () => void seen.changes++,
    history: createApprovalHistory({ local: createMemoryArea(), now }),
    report(error) {
      throw error
    },
  })
  /** A page asks; the promise is what it gets, an error too. */
  async function ask(key: string, review: Review, changes: Partial<StoredRequest> = {}) {
    if (!(await requests.find(key)))
      await requests.add({
        ...{ key, origin: A, tabId: 1, frameId: 0, id: key, createdAt: clock.now, params: [] },
        ...{ method: 'connect', purpose: 'connect', accountId: null, network: null },
        ...{ review: null, digest: null, approvedDigest: null, input: null, journal: {} },
        ...{ outcome: null, ...changes },
      })
    const before = seen.changes
    const answer = approvals.ask(key, review).catch((error: unknown) => error)
    const over = await Promise.race([answer.then(() => true), settled(() => seen.changes > before)])
    return { answer, isOver: over === true }
  }
  const digestOf = async (key: string) => (await requests.find(key))?.digest ?? ''
  const approve = async (key: string, input: unknown = null) =>
    approvals.approve({ key, digest: await digestOf(key), input }, YES)
  const waiting = async () => (await approvals.queue()).map(({ key }) => key)
  return { ...parts(), ask, approve, digestOf, waiting }
  function parts() {
    return { approvals, requests, declines, clock, seen, window, panels }
  }
}

/** Until something is so; some turns of the event loop, as the timers of the test stand still. */
async function settled(is: () => boolean): Promise<void> {
  for (let turn = 0; turn < 50 && !is(); turn++) await new Promise(setImmediate)
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
}

describe('a question', () => {
  it('opens the window, in front of what the person does', async () => {
    const { ask, approve, seen, waiting } = open()
    const { answer } = await ask('a', MESSAGE)
    expect([seen.shown, await waiting()]).toEqual([[true], ['a']])
    await approve('a')
    expect(await answer).toBeNull()
    expect(await waiting()).toEqual([])
  })

  it('that is asked again while the person reads takes no focus, and another one does', async () => {
    const { ask, seen } = open()
    await ask('a', MESSAGE)
    await ask('a', MESSAGE)
    await ask('a', { ...MESSAGE, message: 'other' })
    expect(seen.shown).toEqual([true, false, true])
  })

  it('that was approved in an earlier life of the worker is not asked again', async () => {
    const { ask, approve, seen } = open()
    await ask('a', AMOUNT)
    await approve('a', '1.50')
    const shown = seen.shown.length
    const again = await ask('a', AMOUNT)
    expect(await again.answer).toBe('1.5')
    expect(seen.shown).toHaveLength(shown)
    // Another question of the same request is another one.
    await ask('a', MESSAGE)
    expect(seen.shown).toHaveLength(shown + 1)
  })

  it('of a request that has its answer, or is forgotten, is rejected', async () => {
    const { ask, approve, approvals, requests } = open()
    await ask('a', MESSAGE)
    await requests.update('a', { outcome: { result: 1 } })
    expect(await (await ask('a', MESSAGE)).answer).toMatchObject(REJECTED)
    await ask('c', CONNECT)
    await approve('c')
    await requests.update('c', { outcome: { result: 1 } })
    expect(await (await ask('c', CONNECT)).answer).toMatchObject(REJECTED)
    await requests.forget('c')
    await expect(approvals.ask('c', CONNECT)).rejects.toMatchObject(REJECTED)
  })

  it('that ends in the same moment is rejected', async () => {
    const { approvals, ask, requests } = open()
    await ask('a', MESSAGE)
    const { require } = requests
    requests.require = async key => {
      const record = await require(key)
      await requests.update(key, { outcome: { result: 1 } })
      return record
    }
    await expect(approvals.ask('a', CONNECT)).rejects.toMatchObject(REJECTED)
  })

  it('of a site that was told no again and again opens no window, and those asked before stay', async () => {
    const { ask, clock, approvals, declines, seen, waiting } = open()
    await ask('early', MESSAGE)
    clock.now += 1
    for (const _ of [1, 2, 3]) await declines.add([{ origin: A, tabId: 1 }])
    seen.shown = []
    await ask('late', CONNECT)
    expect(seen.shown).toEqual([])
    expect(await waiting()).toEqual(['early', 'late'])
    await ask('early', MESSAGE)
    expect(seen.shown).toEqual([false])
    // The window has no reason to stay once the early one is answered.
    expect(await approvals.close()).toBe(false)
    await approvals.reject('early')
    expect(await approvals.close()).toBe(true)
    expect(await waiting()).toEqual(['late'])
  })
})

describe('an approval', () => {
  it('of something else than what was shown approves nothing', async () => {
    const { ask, approvals, waiting } = open()
    await ask('a', MESSAGE)
    const wrong = approvals.approve({ key: 'a', digest: 'other', input: null }, YES)
    await expect(wrong).rejects.toMatchObject({ code: 4100 })
    expect(await waiting()).toEqual(['a'])
  })

  it('is none where it is not allowed, such as while the wallet is locked', async () => {
    const { ask, approvals, waiting, digestOf } = open()
    await ask('a', MESSAGE)
    const digest = await digestOf('a')
    const locked = approvals.approve({ key: 'a', digest, input: null }, async () => {
      throw unauthorized()
    })
    await expect(locked).rejects.toMatchObject({ code: 4100 })
    expect(await waiting()).toEqual(['a'])
  })

  it('of an unlock, of nothing, and of what was answered already, does nothing', async () => {
    const { ask, approve, approvals, requests, seen } = open()
    await ask('a', UNLOCK)
    await approve('a')
    expect((await requests.find('a'))?.approvedDigest).toBeNull()
    await approvals.releaseUnlocked()
    await vi.advanceTimersByTimeAsync(5_000)
    const { closed } = seen
    await expect(approve('nobody')).resolves.toBe(false)
    await vi.advanceTimersByTimeAsync(900)
    expect(seen.closed).toBe(closed + 1)
    await ask('b', MESSAGE)
    await approvals.reject('b')
    await approve('b')
    expect((await requests.find('b'))?.outcome).toMatchObject({ error: REJECTED })
  })

  it('makes the site one again that windows open for', async () => {
    const { ask, approve, declines } = open()
    await declines.add([{ origin: A, tabId: 1 }])
    await declines.add([{ origin: B, tabId: 1 }])
    await ask('a', MESSAGE)
    await approve('a')
    expect([await declines.isDeclined(A), await declines.isDeclined(B)]).toEqual([false, true])
  })

  it('with an amount that is none leaves the question open', async () => {
    const { ask, approve, waiting } = open()
    await ask('a', AMOUNT)
    await expect(approve('a', 'much')).rejects.toMatchObject({ code: -32602 })
    expect(await waiting()).toEqual(['a'])
  })

  it('closes the window after 0.9 seconds, or after five where the site will ask for more', async () => {
    for (const [review, input, ms] of [
      [MESSAGE, null, 900],
      [AMOUNT, '1', 5_000],
    ] as const) {
      const { ask, approve, seen } = open()
      await ask('a', review)
      await approve('a', input)
      await vi.advanceTimersByTimeAsync(ms - 1)
      expect(seen.closed).toBe(0)
      await vi.advanceTimersByTimeAsync(1)
      expect(seen.closed).toBe(1)
    }
  })

  it('does not close a window in which another question waits', async () => {
    const { ask, approve, seen } = open()
    await ask('a', MESSAGE)
    await ask('b', CONNECT)
    await approve('a')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(seen.closed).toBe(0)
  })
})

describe('one answer is for the same question of the same site', () => {
  const repeated: [string, Review, Review, Partial<StoredRequest>, boolean][] = [
    ['to connect', CONNECT, CONNECT, {}, true],
    ['to unlock', UNLOCK, { ...UNLOCK, method: 'connect' }, {}, true],
    ['for one network', network('signet'), network('signet'), {}, true],
    ['for two networks', network('signet'), network('regtest'), {}, false],
    ['to sign', MESSAGE, MESSAGE, {}, false],
    ['to connect, and another', CONNECT, MESSAGE, {}, false],
    ['of another site', CONNECT, CONNECT, { origin: B }, false],
    ['for another account', CONNECT, CONNECT, { accountId: 'b' }, false],
    ['on another network', CONNECT, CONNECT, { network: 'signet' }, false],
  ]
  it.each(repeated)('%s', async (_, first, second, changes, isSame) => {
    const { ask, approvals, requests, waiting } = open()
    await ask('a', first)
    await ask('b', second, changes)
    expect(await waiting()).toEqual(isSame ? ['a'] : ['a', 'b'])
    await approvals.reject('a')
    const other = await requests.find('b')
    expect(other?.outcome ?? null).toEqual(
      isSame ? { error: expect.objectContaining(REJECTED) } : null,
    )
  })

  it('and approves both', async () => {
    const { ask, approve, requests } = open()
    const [first, second] = [await ask('a', CONNECT), await ask('b', CONNECT)]
    await approve('a')
    expect(await Promise.all([first.answer, second.answer])).toEqual([null, null])
    for (const key of ['a', 'b']) {
      const record = await requests.find(key)
      expect(record && isApproved(record)).toBe(true)
    }
  })
})

describe('a rejection', () => {
  it('ends the request, counts against the site, and takes back no approval', async () => {
    const { ask, approve, approvals, declines, requests } = open()
    const { answer } = await ask('a', MESSAGE)
    await approvals.reject('a')
    expect(await answer).toMatchObject(REJECTED)
    expect(await declines.isDeclined(A)).toBe(true)
    await ask('b', MESSAGE, { origin: B })
    await approve('b')
    await approvals.reject('b')
    await approvals.reject('nobody')
    expect(await declines.isDeclined(B)).toBe(false)
    expect((await requests.find('b'))?.outcome).toBeNull()
  })

  it('is what closing the window means for all that wait in it', async () => {
    const { ask, approvals, declines, requests } = open()
    const asked = [await ask('a', MESSAGE), await ask('b', CONNECT, { origin: B })]
    await approvals.rejectAll()
    for (const { answer } of asked) expect(await answer).toMatchObject(REJECTED)
    expect([await declines.isDeclined(A), await declines.isDeclined(B)]).toEqual([true, true])
    expect((await requests.load()).every(({ outcome }) => outcome !== null)).toBe(true)
  })

  it('comes by itself after ten minutes', async () => {
    const { ask, approvals, clock, waiting } = open()
    await ask('a', MESSAGE)
    clock.now += 1
    await ask('b', CONNECT)
    clock.now += 599_998
    await approvals.expire()
    expect(await waiting()).toEqual(['a', 'b'])
    clock.now += 1
    await approvals.expire()
    expect(await waiting()).toEqual(['b'])
  })

  it('ends nothing that is signed, has its answer, or is of somebody else', async () => {
    const { ask, approve, approvals, requests } = open()
    await ask('signed', MESSAGE, { journal: { signed: 1 } })
    await ask('approved', MESSAGE)
    await approve('approved')
    await ask('open', MESSAGE)
    await ask('other', CONNECT)
    await ask('answered', MESSAGE)
    await requests.update('answered', { outcome: { result: 7 } })
    await approvals.settle(({ key }) => key !== 'other', unauthorized())
    const outcomes = (await requests.load()).map(({ key, outcome }) => [key, outcome])
    expect(outcomes).toEqual([
      ['signed', null],
      ['approved', null],
      ['open', { error: expect.objectContaining({ code: 4100 }) }],
      ['other', null],
      ['answered', { result: 7 }],
    ])
  })

  it('is what a window means that was closed while the worker was dead', async () => {
    const { ask, approvals, window, waiting, clock } = open()
    await ask('a', MESSAGE)
    await approvals.reconcile()
    expect(await waiting()).toEqual(['a'])
    window.wasClosed = true
    await approvals.reconcile()
    expect(await waiting()).toEqual([])
    window.wasClosed = false
    await ask('b', MESSAGE)
    clock.now += 600_000
    await approvals.reconcile()
    expect(await waiting()).toEqual([])
  })
})

it('a request that nobody was asked about yet is ended like one that waits', async () => {
  const { approvals, requests, ask } = open()
  await ask('a', UNLOCK)
  await approvals.releaseUnlocked()
  await approvals.settle(() => true, unauthorized())
  expect((await requests.find('a'))?.outcome).toMatchObject({ error: { code: 4100 } })
})

describe('an unlock', () => {
  it('lets go on what waited for it, and nothing else', async () => {
    const { ask, approvals, requests, waiting, seen } = open()
    const { answer } = await ask('a', UNLOCK)
    await ask('b', MESSAGE)
    await approvals.releaseUnlocked()
    expect(await answer).toBeNull()
    expect(await requests.find('a')).toMatchObject({ review: null, digest: null, outcome: null })
    expect(await waiting()).toEqual(['b'])
    await approvals.reject('b')
    await vi.advanceTimersByTimeAsync(900)
    expect(seen.closed).toBe(1)
  })

  it('leaves the window open for five seconds, until it is known what is asked next', async () => {
    const { ask, approvals, seen } = open()
    await ask('a', UNLOCK)
    await approvals.releaseUnlocked()
    await vi.advanceTimersByTimeAsync(4_999)
    expect(seen.closed).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(seen.closed).toBe(1)
  })

  it('leaves it open as long where another question was answered just before', async () => {
    const { ask, approve, approvals, seen } = open()
    await ask('a', MESSAGE)
    await ask('b', UNLOCK)
    await approve('a')
    await vi.advanceTimersByTimeAsync(100)
    await approvals.releaseUnlocked()
    await vi.advanceTimersByTimeAsync(4_999)
    expect(seen.closed).toBe(0)
  })

  it('is told to our own pages, like every answer', async () => {
    const { ask, approvals, seen } = open()
    await ask('a', UNLOCK)
    const before = seen.changes
    await approvals.releaseUnlocked()
    expect(seen.changes).toBeGreaterThan(before)
    await approvals.show()
    expect(seen.shown).toEqual([true, true])
  })
})

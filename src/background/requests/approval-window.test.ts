import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createApprovalHistory } from '../history/approval-history.ts'
import { createMemoryPanels } from '../testing/memory-panels.ts'
import { createApprovalWindow } from './approval-window.ts'
import { createApprovals } from './approvals.ts'
import { createDeclines } from './declines.ts'
import { createRequests } from './requests.ts'

const { browser } = vi.hoisted(() => ({ browser: { current: {} as object } }))
vi.mock('../../browser/browser.ts', () => ({
  browser: new Proxy({}, { get: (_, name) => Reflect.get(browser.current, name) }),
}))

const PAGE = 'chrome-extension://satchel/src/popup/popup.html?approval'

/** Each step of a browser takes as long as it likes: what opens or closes is there, or still there, for a while. */
function createBrowser(takes: () => number) {
  const windows = new Set<number>()
  const closing = new Set<number>()
  let last = 0
  let onRemoved = (_windowId: number) => {}
  const pass = () => new Promise(resolve => setTimeout(resolve, takes()))
  const end = async (windowId: number) => {
    if (!windows.has(windowId) || closing.has(windowId)) return
    closing.add(windowId)
    await pass()
    windows.delete(windowId)
    setTimeout(() => onRemoved(windowId), takes())
  }
  const assertOpen = (windowId: number) => {
    if (!windows.has(windowId)) throw new Error(`No window with id: ${windowId}.`)
  }
  return {
    windows,
    /** Windows that nobody is about to close. */
    lasting: () => [...windows].filter(windowId => !closing.has(windowId)),
    listen(listener: (windowId: number) => void) {
      onRemoved = listener
    },
    closeByHand: end,
    api: {
      runtime: { getURL: (path: string) => `chrome-extension://satchel/${path}` },
      tabs: {
        async query() {
          await pass()
          return [...windows].map(windowId => ({ url: PAGE, windowId }))
        },
      },
      windows: {
        async get(windowId: number) {
          await pass()
          assertOpen(windowId)
          return { id: windowId }
        },
        async getLastFocused() {
          await pass()
          return {}
        },
        async create() {
          await pass()
          windows.add(++last)
          await pass()
          return { id: last }
        },
        async update(windowId: number) {
          await pass()
          assertOpen(windowId)
        },
        async remove(windowId: number) {
          await pass()
          assertOpen(windowId)
          await end(windowId)
        },
      },
    },
  }
}

function start(takes: () => number) {
  const screen = createBrowser(takes)
  browser.current = screen.api
  const memory = createMemoryArea()
  const slow =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A) => {
      await new Promise(resolve => setTimeout(resolve, takes() / 4))
      return work(...args)
    }
  const session = { ...memory, get: slow(memory.get), set: slow(memory.set) }
  const requests = createRequests({ session, now: () => Date.now() })
  const approvalWindow = createApprovalWindow({ session })
  const approvals = createApprovals({
    ...{ requests, window: approvalWindow, now: () => Date.now(), onChange() {} },
    panels: createMemoryPanels().panels,
    declines: createDeclines({ session, now: () => Date.now() }),
    history: createApprovalHistory({ local: createMemoryArea(), now: () => Date.now() }),
    report(error) {
      throw error
    },
  })
  screen.listen(async windowId => {
    if (await approvalWindow.forget(windowId)) await approvals.rejectAll()
  })
  let asked = 0
  return { screen, requests, approvals, ask }

  /** A request of a site that never asked before, and what becomes of it. */
  async function ask() {
    const origin = `https://site-${++asked}.test`
    const key = `${origin} 1 0 ${asked}`
    await requests.add({
      ...{ key, origin, tabId: 1, frameId: 0, id: `${asked}` },
      ...{
        method: 'signMessage',
        purpose: 'signMessage',
        params: [],
        createdAt: Date.now(),
        accountId: null,
      },
      ...{ network: null, review: null, digest: null, approvedDigest: null, input: null },
      ...{ journal: {}, outcome: null },
    })
    const end = { kind: 'open' as 'open' | 'approved' | 'rejected' }
    approvals.ask(key, { kind: 'connect' }).then(
      () => {
        end.kind = 'approved'
      },
      () => {
        end.kind = 'rejected'
      },
    )
    return { key, end }
  }
}

describe('the approval window', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is there for each request, however soon after the last answer it comes and however slow the browser is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 80 }), { minLength: 10, maxLength: 10 }),
        fc.array(fc.integer({ min: 0, max: 1500 }), { minLength: 8, maxLength: 8 }),
        async (steps, pauses) => {
          let step = 0
          const { screen, requests, approvals, ask } = start(
            () => steps[step++ % steps.length] ?? 0,
          )
          for (const pause of pauses) {
            const { key, end } = await settled(ask())
            await vi.advanceTimersByTimeAsync(2_000)
            expect([end.kind, screen.lasting().length]).toEqual(['open', 1])
            const { digest } = (await settled(requests.find(key))) ?? {}
            if (pause % 2 === 0) await settled(approvals.reject(key))
            else
              await settled(
                approvals.approve({ key, digest: digest ?? '', input: null }, async () => {}),
              )
            expect(end.kind).toBe(pause % 2 === 0 ? 'rejected' : 'approved')
            await vi.advanceTimersByTimeAsync(pause)
          }
          await vi.advanceTimersByTimeAsync(10_000)
          expect(screen.windows.size).toBe(0)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('closed by hand rejects what it showed, and what comes later has another', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 80 }), { minLength: 10, maxLength: 10 }),
        fc.integer({ min: 0, max: 400 }),
        async (steps, pause) => {
          let step = 0
          const { screen, ask } = start(() => steps[step++ % steps.length] ?? 0)
          const first = await settled(ask())
          await vi.advanceTimersByTimeAsync(2_000)
          const [windowId] = screen.lasting()
          void screen.closeByHand(windowId ?? -1)
          await vi.advanceTimersByTimeAsync(2_000)
          expect(first.end.kind).toBe('rejected')
          await vi.advanceTimersByTimeAsync(pause)
          const second = await settled(ask())
          await vi.advanceTimersByTimeAsync(2_000)
          expect([second.end.kind, screen.lasting().length]).toEqual(['open', 1])
        },
      ),
      { numRuns: 50 },
    )
  })
})

/** The outcome of what takes no longer than a second. */
async function settled<T>(work: Promise<T>): Promise<T> {
  const outcome = { value: undefined as T | undefined, isThere: false }
  void work.then(value => Object.assign(outcome, { value, isThere: true }))
  for (let ms = 0; ms < 1000 && !outcome.isThere; ms += 5) await vi.advanceTimersByTimeAsync(5)
  expect(outcome.isThere).toBe(true)
  return outcome.value as T
}

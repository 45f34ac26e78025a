import { describe, expect, it, vi } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createApprovalWindow, showBadge } from './approval-window.ts'

const { browser } = vi.hoisted(() => ({ browser: { current: {} as object } }))
vi.mock('../../browser/browser.ts', () => ({
  browser: new Proxy({}, { get: (_, name) => Reflect.get(browser.current, name) }),
}))

const BASE = 'chrome-extension://satchel/'
const URL_OF_PAGE = `${BASE}src/popup/popup.html?approval`
const SIZE = { type: 'popup', url: 'src/popup/popup.html?approval', width: 400, height: 680 }
const IDLE = async () => true

type Tab = { url?: string; pendingUrl?: string; windowId?: number }

/** A browser with these windows and tabs; what it was told to do is in `done`. */
function open({
  front = {},
  tabs = [],
  windows = [],
  refusePlace = false,
  stored = {},
}: {
  front?: object | Error
  tabs?: Tab[]
  windows?: number[]
  refusePlace?: boolean
  stored?: { [key: string]: unknown }
} = {}) {
  const done: unknown[][] = []
  const there = new Set(windows)
  let last = 100
  browser.current = {
    runtime: { getURL: (path: string) => BASE + path },
    tabs: {
      async query(of: object) {
        done.push(['query', of])
        return tabs
      },
    },
    windows: {
      async get(id: number) {
        if (!there.has(id)) throw new Error('No window')
        return { id }
      },
      async getLastFocused() {
        if (front instanceof Error) throw front
        return front
      },
      async create(options: object) {
        done.push(['create', options])
        if (refusePlace && 'left' in options) throw new Error('Off the screen')
        there.add(++last)
        return { id: last }
      },
      async update(id: number, changes: object) {
        done.push(['update', id, changes])
        if (!there.has(id)) throw new Error('No window')
      },
      async remove(id: number) {
        done.push(['remove', id])
        if (!there.delete(id)) throw new Error('No window')
      },
    },
    action: {
      setBadgeBackgroundColor: async (of: object) => void done.push(['color', of]),
      setBadgeText: async (of: object) => void done.push(['text', of]),
    },
  }
  const session = createMemoryArea(stored)
  const created = () => done.filter(([what]) => what === 'create').map(([, options]) => options)
  return { window: createApprovalWindow({ session }), session, done, created, there }
}

describe('a new approval window', () => {
  it('is near the upper right corner of the window that the person is in', async () => {
    const { window, created, session } = open({ front: { left: 100, top: 50, width: 1_500 } })
    await window.show(true)
    expect(created()).toEqual([{ ...SIZE, left: 1_176, top: 122 }])
    expect(session.dump()).toEqual({ approvalWindow: 101 })
  })

  it('does not begin left of the screen', async () => {
    const { window, created } = open({ front: { left: 0, top: 0, width: 300 } })
    await window.show(true)
    expect(created()).toEqual([{ ...SIZE, left: 0, top: 72 }])
  })

  it.each([
    ['which has no left edge', { top: 50, width: 1_500 }],
    ['which has no upper edge', { left: 100, width: 1_500 }],
    ['which has no width', { left: 100, top: 50 }],
    ['of which the browser tells nothing', new Error('No window')],
  ])('is where the browser puts it beside a window %s', async (_, front) => {
    const { window, created } = open({ front })
    await window.show(true)
    expect(created()).toEqual([SIZE])
  })

  it('is where the window system lets it be, where that refuses the place', async () => {
    const { window, created, session } = open({
      ...{ front: { left: 9_000, top: 0, width: 500 }, refusePlace: true },
    })
    await window.show(true)
    expect(created()).toHaveLength(2)
    expect(created()[1]).toEqual(SIZE)
    expect(session.dump()).toEqual({ approvalWindow: 101 })
  })
})

describe('an approval window that is there', () => {
  it.each<[string, Tab]>([
    ['by its address', { url: URL_OF_PAGE, windowId: 7 }],
    ['while it is loading', { pendingUrl: URL_OF_PAGE, windowId: 7 }],
  ])('is found %s, in front where that is asked for', async (_, tab) => {
    for (const focus of [true, false]) {
      const tabs = [{}, { url: `${BASE}src/popup/popup.html`, windowId: 3 }, tab]
      const { window, done, session } = open({ tabs, windows: [3, 7] })
      await window.show(focus)
      expect(done).toEqual([
        ['query', { url: `${BASE}*` }],
        ...(focus ? [['update', 7, { focused: true }]] : []),
      ])
      expect(session.dump()).toEqual({ approvalWindow: 7 })
    }
  })

  it('is found by what is stored, where the browser tells no tabs', async () => {
    const { window, created, done } = open({ windows: [9], stored: { approvalWindow: 9 } })
    await window.show(true)
    expect(created()).toEqual([])
    expect(done).toContainEqual(['update', 9, { focused: true }])
    const gone = open({ stored: { approvalWindow: 9 } })
    await gone.window.show(true)
    expect(gone.created()).toHaveLength(1)
    const broken = open({ windows: [9], stored: { approvalWindow: '9' } })
    await broken.window.show(true)
    expect(broken.created()).toHaveLength(1)
  })

  it('is replaced where it closes in this moment, or is being closed by the wallet', async () => {
    const closing = open({ tabs: [{ url: URL_OF_PAGE, windowId: 7 }], windows: [] })
    await closing.window.show(true)
    expect(closing.created()).toHaveLength(1)
    expect(closing.session.dump()).toEqual({ approvalWindow: 101 })
    const ours = open({
      tabs: [{ url: URL_OF_PAGE, windowId: 7 }],
      windows: [7],
      stored: { closingApprovalWindow: 7 },
    })
    await ours.window.show(true)
    expect(ours.created()).toHaveLength(1)
    expect(ours.session.dump()).toMatchObject({ approvalWindow: 101 })
  })
})

describe('closing', () => {
  it('takes the window away, which then is nobody’s rejection', async () => {
    const { window, done, session } = open({ windows: [7], stored: { approvalWindow: 7 } })
    expect(await window.close(IDLE)).toBe(true)
    expect(done).toEqual([['remove', 7]])
    expect(session.dump()).toEqual({ closingApprovalWindow: 7 })
    expect(await window.forget(7)).toBe(false)
    expect(await window.wasClosedUnseen()).toBe(false)
  })

  it('leaves it where somebody waits, and does nothing where none is open', async () => {
    const busy = open({ windows: [7], stored: { approvalWindow: 7 } })
    expect(await busy.window.close(async () => false)).toBe(false)
    expect([busy.done, busy.session.dump()]).toEqual([[], { approvalWindow: 7 }])
    const none = open()
    expect(await none.window.close(IDLE)).toBe(true)
    expect(none.done).toEqual([])
  })

  it('in the same moment as the person is closed all the same', async () => {
    const { window } = open({ stored: { approvalWindow: 7 } })
    expect(await window.close(IDLE)).toBe(true)
  })
})

describe('a window that the person has closed', () => {
  it('is told from others by its id, once', async () => {
    const { window, session } = open({ stored: { approvalWindow: 7 } })
    expect(await window.forget(8)).toBe(false)
    expect(await window.forget(7)).toBe(true)
    expect(await window.forget(7)).toBe(false)
    expect(session.dump()).toEqual({})
  })

  it('while no worker was there is found out once', async () => {
    const { window } = open({ stored: { approvalWindow: 7 } })
    expect(await window.wasClosedUnseen()).toBe(true)
    expect(await window.wasClosedUnseen()).toBe(false)
    const open7 = open({ windows: [7], stored: { approvalWindow: 7 } })
    expect(await open7.window.wasClosedUnseen()).toBe(false)
    expect(await open().window.wasClosedUnseen()).toBe(false)
  })
})

it('the icon tells how many requests wait, and nothing where none does', async () => {
  const { done } = open()
  await showBadge(3)
  await showBadge(0)
  expect(done.map(([what, of]) => [what, Object.values(Object(of))[0]])).toEqual([
    ['color', expect.stringMatching(/^#[0-9a-f]{6}$/)],
    ['text', '3'],
    ['color', expect.stringMatching(/^#[0-9a-f]{6}$/)],
    ['text', ''],
  ])
})

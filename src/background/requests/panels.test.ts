import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { applyToolbar, followToolbar } from '../../browser/panel.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createPanels } from './panels.ts'

const { browser } = vi.hoisted(() => ({ browser: { current: {} as object } }))
vi.mock('../../browser/browser.ts', () => ({
  browser: new Proxy({}, { get: (_, name) => Reflect.get(browser.current, name) }),
}))

afterEach(() => void vi.useRealTimers())

const PAGE = '/src/popup/popup.html'

type Kind = 'chrome' | 'firefox' | 'none'

/**
 * A browser with tabs 10 and 20 in windows 1 and 2 and panels in some of its windows. Their pages connect when they are poked;
 * `silent` ones never do.
 */
function start(
  kind: Kind,
  { open = [] as number[], silent = [] as number[], session = createMemoryArea() } = {},
) {
  const lost: number[] = []
  const done: unknown[] = []
  const panels = createPanels({ session, onLost: windowId => lost.push(windowId) })
  const pressed: (() => void)[] = []
  const ends: (() => void)[] = []
  const told: unknown[] = []
  const connect = (name: string) =>
    panels.open({
      name,
      postMessage: message => void told.push(message),
      onDisconnect: { addListener: listener => ends.push(listener) },
    })
  const poked: unknown[] = []
  browser.current = {
    runtime: {
      // As Chromium 156 answers.
      getContexts: async () => open.map(() => ({ contextType: 'SIDE_PANEL', windowId: -1 })),
      async sendMessage(message: unknown) {
        poked.push(message)
        for (const windowId of open) if (!silent.includes(windowId)) connect(`panel:${windowId}`)
      },
    },
    tabs: {
      async get(tabId: number) {
        if (![10, 20].includes(tabId)) throw new Error(`No tab with id: ${tabId}.`)
        return { windowId: tabId / 10 }
      },
      query: async ({ windowId }: { windowId: number }) =>
        [1, 2].includes(windowId) ? [{ id: windowId * 10 }] : [],
      async sendMessage(...told: unknown[]) {
        done.push(told)
        throw new Error('Receiving end does not exist')
      },
    },
    windows: {
      getAll: async () => [{ id: 1 }, { id: 2 }],
      async update(...change: unknown[]) {
        done.push(change)
        throw new Error('No window')
      },
    },
    action: {
      setPopup: async (of: object) => void done.push(of),
      onClicked: { addListener: (listener: () => void) => pressed.push(listener) },
    },
    ...(kind === 'chrome' && {
      sidePanel: { setPanelBehavior: async (of: object) => void done.push(of) },
    }),
    ...(kind === 'firefox' && {
      sidebarAction: {
        isOpen: async ({ windowId }: { windowId: number }) => open.includes(windowId),
        toggle: async () => void done.push('toggle'),
      },
    }),
  }
  return { panels, connect, lost, done, poked, pressed, ends, told }
}

describe.each(['chrome', 'firefox'] as const)('in %s, the panels', kind => {
  it('are asked for by a new worker, and found beside the tabs of their windows alone', async () => {
    const { panels, poked } = start(kind, { open: [2] })
    expect(await panels.findBeside(20)).toBe(2)
    expect(await panels.findBeside(10)).toBeNull()
    expect(await panels.findBeside(30)).toBeNull()
    expect(await panels.isOpen(2)).toBe(true)
    expect(poked).toEqual(['panels'])
  })

  it('whose pages do not answer are as good as none', async () => {
    vi.useFakeTimers()
    const { panels } = start(kind, { open: [1, 2], silent: [1] })
    const finding = panels.findBeside(10)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(await Promise.race([finding, 'waits'])).toBeNull()
    expect(await panels.findBeside(20)).toBe(2)
  })

  it('are found by a page that takes two seconds to connect', async () => {
    vi.useFakeTimers()
    const { panels, connect } = start(kind, { open: [1], silent: [1] })
    const finding = panels.findBeside(10)
    setTimeout(() => connect('panel:1'), 2_000)
    await vi.advanceTimersByTimeAsync(2_100)
    expect(await Promise.race([finding, 'waits'])).toBe(1)
  })

  it('are not waited for once they have closed', async () => {
    vi.useFakeTimers()
    const open = [1]
    const { panels } = start(kind, { open, silent: [1] })
    const finding = panels.findBeside(10)
    setTimeout(() => open.pop(), 200)
    await vi.advanceTimersByTimeAsync(300)
    expect(await Promise.race([finding, 'waits'])).toBeNull()
  })

  it('are found at once where another window’s page is silent', async () => {
    vi.useFakeTimers()
    const { panels } = start(kind, { open: [1, 2], silent: [1] })
    const finding = panels.findBeside(20)
    await vi.advanceTimersByTimeAsync(100)
    expect(await Promise.race([finding, 'waits'])).toBe(2)
  })

  it('are none where none is open, and nothing is asked', async () => {
    const { panels, poked } = start(kind)
    expect([await panels.findBeside(10), poked]).toEqual([null, []])
  })
})

it('a browser without panels has none', async () => {
  const { panels } = start('none', { open: [1] })
  expect(await panels.isOpen(1)).toBe(false)
})

describe('the connection of a panel’s page', () => {
  it('tells its window as long as there is one, and that the last has ended', () => {
    const { panels, connect, lost, ends, told } = start('chrome')
    expect([connect('panel:1'), connect('panel:1')]).toEqual([true, true])
    panels.tellAll()
    expect(told).toEqual([null, null])
    ends[0]?.()
    expect([panels.isConnected(1), lost]).toEqual([true, [1]])
    ends[1]?.()
    expect([panels.isConnected(1), lost]).toEqual([false, [1, 1]])
  })

  it.each(['ui', 'page', 'panel', 'panel:', 'panel:-1', 'panel:1x', 'xpanel:1'])(
    'is none by the name %j',
    name => {
      expect(start('chrome').connect(name)).toBe(false)
    },
  )
})

it('what is looked at and brought to the front may be gone by then', async () => {
  const { panels, done } = start('chrome')
  expect([await panels.findActiveTab(1), await panels.findActiveTab(3)]).toEqual([10, null])
  await panels.wake(10)
  await panels.focus(1)
  expect(done).toEqual([
    [10, 'poke'],
    [1, { focused: true }],
  ])
})

describe('the toolbar button', () => {
  beforeEach(() => void vi.restoreAllMocks())

  it('opens Chrome’s side panel or the popup', async () => {
    const { done } = start('chrome')
    await applyToolbar('panel')
    await applyToolbar('popup')
    expect(done).toEqual([
      ...[{ popup: '' }, { openPanelOnActionClick: true }],
      ...[{ popup: PAGE }, { openPanelOnActionClick: false }],
    ])
  })

  it('opens Firefox’s sidebar at a press where it has no popup', async () => {
    const { done, pressed } = start('firefox')
    followToolbar(() => {})
    await applyToolbar('panel')
    pressed[0]?.()
    await applyToolbar('popup')
    expect(done).toEqual([{ popup: '' }, 'toggle', { popup: PAGE }])
  })

  it('opens the popup where there is no panel, whatever was chosen', async () => {
    const { done, pressed } = start('none')
    followToolbar(() => {})
    await applyToolbar('panel')
    expect([done, pressed]).toEqual([[{ popup: PAGE }], []])
  })

  it('is set by the first worker of a session, and by a later one where something else is chosen', async () => {
    const session = createMemoryArea()
    const restored: unknown[] = []
    for (const opens of ['panel', 'panel', 'popup', 'popup'] as const) {
      const { panels, done } = start('firefox', { session })
      await panels.restoreToolbar(opens)
      restored.push(done)
    }
    expect(restored).toEqual([[{ popup: '' }], [], [{ popup: PAGE }], []])
    await start('firefox', { session }).panels.applyToolbar('panel')
    const { panels, done } = start('firefox', { session })
    await panels.restoreToolbar('popup')
    expect(done).toEqual([{ popup: PAGE }])
  })

  it('is set again by the next worker where the browser failed to', async () => {
    const session = createMemoryArea()
    const { panels } = start('chrome', { session })
    browser.current = { action: { setPopup: () => Promise.reject(new Error('Shutting down')) } }
    await expect(panels.restoreToolbar('popup')).rejects.toThrow('Shutting down')
    const { panels: next, done } = start('chrome', { session })
    await next.restoreToolbar('popup')
    expect(done).toEqual([{ popup: PAGE }, { openPanelOnActionClick: false }])
  })
})

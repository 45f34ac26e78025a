import { browser } from '../../browser/browser.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { ApprovalWindow } from './approvals.ts'

const STORAGE_KEY = 'approvalWindow'
/** The window that the wallet itself closed last. It is not used again, and that it closed is no rejection by the person. */
const CLOSING_KEY = 'closingApprovalWindow'
const PAGE = 'src/popup/popup.html?approval'
const WIDTH = 400
const HEIGHT = 680

/**
 * The browser window in which approvals are shown; its id is stored, so that a new worker finds it again. Opening, closing and
 * the news of an end take turns: each finds what the one before has left.
 */
export function createApprovalWindow({ session }: { session: StorageArea }): ApprovalWindow & {
  /** Whether this is the id of the approval window, which then counts as closed. */
  forget(windowId: number): Promise<boolean>
} {
  const inTurn = createMutex()

  return {
    show: focus => inTurn(() => open(focus)),
    close: isIdle =>
      inTurn(async () => {
        if (!(await isIdle())) return false
        const windowId = await session.get(STORAGE_KEY)
        if (typeof windowId !== 'number') return true
        await session.set({ [CLOSING_KEY]: windowId })
        await session.remove(STORAGE_KEY)
        // The person may close it at the same moment.
        await browser.windows.remove(windowId).catch(() => {})
        return true
      }),
    wasClosedUnseen: () =>
      inTurn(async () => {
        const windowId = await session.get(STORAGE_KEY)
        if (typeof windowId !== 'number' || (await exists(windowId))) return false
        await session.remove(STORAGE_KEY)
        return true
      }),
    forget: windowId =>
      inTurn(async () => {
        if ((await session.get(STORAGE_KEY)) !== windowId) return false
        await session.remove(STORAGE_KEY)
        return true
      }),
  }

  async function open(focus: boolean): Promise<void> {
    const found = await findOpen()
    if (found !== undefined) {
      await session.set({ [STORAGE_KEY]: found })
      if (focus) await browser.windows.update(found, { focused: true }).catch(() => {})
      // The person may close it at the same moment.
      if (await exists(found)) return
    }
    await session.set({ [STORAGE_KEY]: await create() })
  }

  /** Also finds a window that a worker opened and did not live to remember. */
  async function findOpen(): Promise<number | undefined> {
    const closing = await session.get(CLOSING_KEY)
    const tabs = await browser.tabs.query({ url: browser.runtime.getURL('*') })
    const tab = tabs.find(
      ({ url, pendingUrl, windowId }) =>
        (url ?? pendingUrl ?? '').includes(PAGE) && windowId !== closing,
    )
    if (tab?.windowId !== undefined) return tab.windowId
    const windowId = await session.get(STORAGE_KEY)
    return typeof windowId === 'number' && (await exists(windowId)) ? windowId : undefined
  }
}

async function exists(windowId: number): Promise<boolean> {
  return browser.windows.get(windowId).then(
    () => true,
    () => false,
  )
}

/** Opens near the upper right corner of the window that the person is in. */
async function create(): Promise<number> {
  const front = await browser.windows.getLastFocused().catch(() => null)
  const place =
    front?.left === undefined || front.top === undefined || front.width === undefined
      ? {}
      : { left: Math.max(0, front.left + front.width - WIDTH - 24), top: front.top + 72 }
  const options = { type: 'popup', url: PAGE, width: WIDTH, height: HEIGHT } as const
  const created = await browser.windows
    .create({ ...options, ...place })
    // A place off the screen is refused by some window systems.
    .catch(() => browser.windows.create(options))
  if (created.id === undefined) throw new Error('The browser opened no approval window')
  return created.id
}

/** Shows on the toolbar icon how many requests wait. */
export async function showBadge(waiting: number): Promise<void> {
  await browser.action.setBadgeBackgroundColor({ color: '#b4501e' })
  await browser.action.setBadgeText({ text: waiting === 0 ? '' : String(waiting) })
}

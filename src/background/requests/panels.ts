import type { Runtime } from 'webextension-polyfill'
import { browser } from '../../browser/browser.ts'
import { applyToolbar, countPanels } from '../../browser/panel.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import type { Settings } from '../views/settings-views.ts'

/** The wallet's panels beside sites, of which a browser window has one at most. */
export type ApprovalPanels = {
  /** The browser window of this tab, if a panel is open in it; else null. */
  findBeside(tabId: number): Promise<number | null>
  /** Whether the page of this window's panel is connected to this worker. */
  isConnected(windowId: number): boolean
  /** Brings this browser window to the front. */
  focus(windowId: number): Promise<void>
}

/** What the panel's own screens ask of the browser. */
export type Panels = ApprovalPanels & {
  isOpen(windowId: number): Promise<boolean>
  /** The tab that is shown in a browser window; null where that is closed. */
  findActiveTab(windowId: number): Promise<number | null>
  /** Has the toolbar button open what the person chose. */
  applyToolbar(opens: Settings['toolbarOpens']): Promise<void>
  /** Has a page connect that spoke to the wallet and has no connection now. */
  wake(tabId: number): Promise<void>
}

type PanelPort = Pick<Runtime.Port, 'name' | 'postMessage'> & {
  onDisconnect: { addListener(listener: () => void): void }
}

/** By which a panel's page names its browser window. */
const PORT_NAME = /^panel:(\d+)$/

/** Has the pages of panels connect that have no connection to this worker. */
export const PANEL_POKE = 'panels'

/** What the toolbar button was last set to open, in the session's storage. */
const TOOLBAR_KEY = 'toolbar'

/** How long a new worker waits for the pages of panels that the browser has open: more than a second on a busy computer. */
const TIMEOUT_MS = 3000
const TURN_MS = 25

/**
 * Which panels are there. The browser says how many are open, and the connection of each one's page in which window; a new worker
 * asks them for that, and a page that does not answer is as good as no panel.
 */
export function createPanels({
  session,
  onLost,
}: {
  session: StorageArea
  onLost(windowId: number): void
}) {
  const ports = new Map<PanelPort, number>()

  return {
    /** Whether it is the connection of a panel's page, which is then kept until it ends. */
    open(port: PanelPort): boolean {
      const [, id] = PORT_NAME.exec(port.name) ?? []
      if (id === undefined) return false
      const windowId = Number(id)
      ports.set(port, windowId)
      port.onDisconnect.addListener(() => {
        ports.delete(port)
        onLost(windowId)
      })
      return true
    },
    /** Tells them that other tabs are connected than before. */
    tellAll(): void {
      for (const port of ports.keys()) port.postMessage(null)
    },
    isConnected,
    applyToolbar: setToolbar,
    /** At each start of the worker. The browser keeps what it was told for as long as the session's storage is there. */
    async restoreToolbar(opens: Settings['toolbarOpens']): Promise<void> {
      if ((await session.get(TOOLBAR_KEY)) !== opens) await setToolbar(opens)
    },
    async findBeside(tabId: number): Promise<number | null> {
      // The tab may be closed by now.
      const { windowId } = await browser.tabs.get(tabId).catch(() => ({ windowId: undefined }))
      if (windowId === undefined) return null
      return (await isOpen(windowId)) ? windowId : null
    },
    isOpen,
    async findActiveTab(windowId: number): Promise<number | null> {
      const [tab] = await browser.tabs.query({ active: true, windowId }).catch(() => [])
      return tab?.id ?? null
    },
    async wake(tabId: number): Promise<void> {
      // Most tabs have no content script of ours that listens.
      await browser.tabs.sendMessage(tabId, 'poke').catch(() => {})
    },
    async focus(windowId: number): Promise<void> {
      // The person may close it at the same moment.
      await browser.windows.update(windowId, { focused: true }).catch(() => {})
    },
  } satisfies Panels & { [name: string]: unknown }

  async function setToolbar(opens: Settings['toolbarOpens']): Promise<void> {
    await applyToolbar(opens)
    await session.set({ [TOOLBAR_KEY]: opens })
  }

  function isConnected(windowId: number): boolean {
    return [...ports.values()].includes(windowId)
  }

  async function isOpen(windowId: number): Promise<boolean> {
    if (isConnected(windowId)) return true
    if (!(await isMissing())) return false
    // Nobody listens where all of them are closing.
    browser.runtime.sendMessage(PANEL_POKE).catch(() => {})
    for (let ms = 0; ms < TIMEOUT_MS && (await isMissing()); ms += TURN_MS) {
      await new Promise(resolve => setTimeout(resolve, TURN_MS))
      if (isConnected(windowId)) return true
    }
    return isConnected(windowId)
  }

  /** Whether more panels are open than have a page that is connected: one may open or close meanwhile. */
  async function isMissing(): Promise<boolean> {
    const count = await countPanels().catch(() => 0)
    return new Set(ports.values()).size < count
  }
}

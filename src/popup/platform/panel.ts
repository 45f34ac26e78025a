import type { Runtime } from 'webextension-polyfill'
import { browser } from '../../browser/browser.ts'
import { sidebar, sidePanel } from '../../browser/panel.ts'

/** What the panel beside the page asks of the browser, apart from `rpc.ts`, which every first screen has. */

/**
 * Tells the background that this is the panel of a browser window, and each later one that asks. Calls `onPages` when other
 * pages are connected than before. Returns how to stop.
 */
export function connectPanel(windowId: number, onPages: () => void): () => void {
  let port: Runtime.Port | null = null
  connect()
  browser.runtime.onMessage.addListener(onMessage)
  // A background that was stopped knows of no panel: it is told again before a page can come that it would tell of.
  const stopTabs = subscribeToTabs(() => {
    if (port === null) connect()
  })
  return () => {
    stopTabs()
    browser.runtime.onMessage.removeListener(onMessage)
    port?.disconnect()
  }

  function connect(): void {
    port = browser.runtime.connect({ name: `panel:${windowId}` })
    port.onMessage.addListener(onPages)
    port.onDisconnect.addListener(() => {
      port = null
    })
  }

  function onMessage(message: unknown): undefined {
    if (message === 'panels' && port === null) connect()
  }
}

/** Calls `listener` when another tab is shown, or one has loaded another page; returns how to stop. */
export function subscribeToTabs(listener: () => void): () => void {
  const { onActivated, onUpdated } = browser.tabs
  const onLoaded = (_: number, { status }: { status?: string }) => {
    if (status === 'complete') listener()
  }
  onActivated.addListener(listener)
  onUpdated.addListener(onLoaded)
  return () => {
    onActivated.removeListener(listener)
    onUpdated.removeListener(onLoaded)
  }
}

/** The browser's id of the window that this page is in. */
export async function findWindowId(): Promise<number | null> {
  return (await browser.windows.getCurrent().catch(() => null))?.id ?? null
}

/** Whether this browser can show the wallet beside a page, as far as it says so. */
export function hasPanels(): boolean {
  return (sidePanel() ?? sidebar()) !== undefined
}

/** Opens the panel of a browser window; only in the handler of a press. Some browsers say that it is done and show nothing. */
export async function openPanel(windowId: number): Promise<void> {
  await (sidePanel()?.open({ windowId }) ?? sidebar()?.open())
}

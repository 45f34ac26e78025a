import type { SidebarAction } from 'webextension-polyfill'
import { browser } from './browser.ts'

/** Chrome's side panel, which the declarations do not know. */
type SidePanel = {
  open(options: { windowId: number }): Promise<void>
  setPanelBehavior(behaviour: { openPanelOnActionClick: boolean }): Promise<void>
}

/** The APIs for a page beside the site: each browser has one of them, and some Chromium has neither. */
const api = () =>
  browser as unknown as {
    sidePanel?: SidePanel
    sidebarAction?: SidebarAction.Static
    runtime: { getContexts(filter: { contextTypes: ['SIDE_PANEL'] }): Promise<object[]> }
  }

/** Chrome's side panel; undefined elsewhere. */
export function sidePanel(): SidePanel | undefined {
  return api().sidePanel
}

/** Firefox's sidebar; undefined elsewhere. */
export function sidebar(): SidebarAction.Static | undefined {
  return api().sidebarAction
}

/** In how many browser windows the wallet's panel is open. Chromium 156 does not tell in which: it says -1 for each. */
export async function countPanels(): Promise<number> {
  if (sidePanel()) return (await api().runtime.getContexts({ contextTypes: ['SIDE_PANEL'] })).length
  const bar = sidebar()
  if (!bar) return 0
  const windows = await browser.windows.getAll()
  const areOpen = await Promise.all(
    windows.map(({ id }) => bar.isOpen(id === undefined ? {} : { windowId: id })),
  )
  return areOpen.filter(isOpen => isOpen).length
}

const POPUP = '/src/popup/popup.html'

/** Has the toolbar button open the panel, or the popup; the popup in a browser that has no panels. */
export async function applyToolbar(opens: 'popup' | 'panel'): Promise<void> {
  const isPanel = opens === 'panel' && (sidePanel() ?? sidebar()) !== undefined
  await browser.action.setPopup({ popup: isPanel ? '' : POPUP })
  await sidePanel()?.setPanelBehavior({ openPanelOnActionClick: isPanel })
}

/** To be called as the worker starts: Chrome opens its panel by itself, Firefox tells of a press where there is no popup. */
export function followToolbar(report: (error: unknown) => void): void {
  if (!sidebar()) return
  // At once, since Firefox opens it only in the handler of a press.
  browser.action.onClicked.addListener(() => void sidebar()?.toggle().catch(report))
}

import type { Panels } from '../requests/panels.ts'

/** A browser's windows with their tabs, as ids, and the panels that are open beside them. */
export type MemoryPanels = {
  panels: Panels
  /** By tab, its browser window; a tab that is not here is in none that can have a panel. */
  windowOf: Map<number, number>
  /** The windows with an open panel, and those of them whose page has come. */
  open: Set<number>
  connected: Set<number>
  /** The windows that were brought to the front, and the tabs whose pages were asked to connect. */
  focused: number[]
  woken: number[]
  active: Map<number, number>
  /** What the toolbar button was set to open, one after the other. */
  applied: string[]
}

export function createMemoryPanels(): MemoryPanels {
  const windowOf = new Map<number, number>()
  const active = new Map<number, number>()
  const [open, connected] = [new Set<number>(), new Set<number>()]
  const [focused, woken, applied] = [[] as number[], [] as number[], [] as string[]]
  return {
    ...{ windowOf, active, open, connected, focused, woken, applied },
    panels: {
      async findBeside(tabId) {
        const windowId = windowOf.get(tabId)
        return windowId !== undefined && open.has(windowId) ? windowId : null
      },
      isConnected: windowId => connected.has(windowId),
      async focus(windowId) {
        focused.push(windowId)
      },
      async applyToolbar(opens) {
        applied.push(opens)
      },
      isOpen: async windowId => open.has(windowId),
      findActiveTab: async windowId => active.get(windowId) ?? null,
      async wake(tabId) {
        woken.push(tabId)
      },
    },
  }
}

import { invalidParams } from '../../provider/errors.ts'
import type { Notifications } from '../notifications/notifications.ts'
import type { OkxAliasStore } from '../requests/okx-alias.ts'
import type { Announcer } from '../requests/pages.ts'
import type { Panels } from '../requests/panels.ts'
import type { OneTimeNoticeStore } from '../settings/one-time-notices.ts'
import type { SettingsStore } from '../settings/settings.ts'
import { parseWindowId } from './params.ts'
import type { UiMethodsOf } from './ui-context.ts'

export type SettingsMethodParts = Announcer & {
  settings: Pick<SettingsStore, 'load' | 'change'>
  okxAlias: Pick<OkxAliasStore, 'load' | 'setEverywhere' | 'setSite'>
  notifications: Pick<Notifications, 'view' | 'change'>
  oneTimeNotices: Pick<OneTimeNoticeStore, 'version' | 'change'>
  panels: Pick<Panels, 'isOpen' | 'applyToolbar'>
}

const PANEL_TIMEOUT_MS = 3000
const TURN_MS = 50

/**
 * The person's settings, the sites where the wallet answers as `window.okxwallet`, notifications, and what the start screen tells
 * once. What a setting may be is checked by the store. Nothing here asks a server but notifications, once they are on.
 */
export const settingsMethods = {
  async changeSettings({ wallet }, patch) {
    const { toolbarOpens } = Object(patch)
    if (toolbarOpens !== undefined)
      throw invalidParams('toolbarOpens', toolbarOpens, 'nothing: setToolbar changes it')
    const before = await wallet.settings.load()
    const settings = await wallet.settings.change(patch)
    // Announcing sets the alarm of auto-lock again, counted from the person's last action.
    if (settings.autoLockMinutes !== before.autoLockMinutes) wallet.announce()
    return settings
  },

  async setToolbar({ wallet }, { opens, windowId }) {
    // Some browsers have the API and show nothing: the button would do nothing from then on.
    if (opens === 'panel' && !(await comesUp(wallet.panels, parseWindowId('windowId', windowId))))
      return false
    const { toolbarOpens } = await wallet.settings.change({ toolbarOpens: opens })
    await wallet.panels.applyToolbar(toolbarOpens)
    return true
  },

  getOkxAlias: ({ wallet }) => wallet.okxAlias.load(),

  /** Pages that are open already notice it when they are loaded again. */
  setOkxAlias: ({ wallet }, change) =>
    'everywhere' in change
      ? wallet.okxAlias.setEverywhere(change.everywhere)
      : wallet.okxAlias.setSite(change.origin, change.on),

  getNotifications: ({ wallet }) => wallet.notifications.view(),

  setNotifications: ({ wallet }, patch) => wallet.notifications.change(patch),

  async dismissNews({ wallet }) {
    const { version, change } = wallet.oneTimeNotices
    await change({ newsUpTo: version })
    return null
  },

  async dismissFirstPayment({ wallet }) {
    await wallet.oneTimeNotices.change({ awaitsFirstPayment: false })
    return null
  },
} satisfies UiMethodsOf<SettingsMethodParts>

async function comesUp(panels: Pick<Panels, 'isOpen'>, windowId: number): Promise<boolean> {
  const end = Date.now() + PANEL_TIMEOUT_MS
  while (!(await panels.isOpen(windowId))) {
    if (Date.now() > end) return false
    await new Promise(resolve => setTimeout(resolve, TURN_MS))
  }
  return true
}

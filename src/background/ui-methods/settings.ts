import type { Notifications } from '../notifications/notifications.ts'
import type { OkxAliasStore } from '../requests/okx-alias.ts'
import type { Announcer } from '../requests/pages.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { UiMethodsOf } from './ui-context.ts'

export type SettingsMethodParts = Announcer & {
  settings: Pick<SettingsStore, 'load' | 'change'>
  okxAlias: Pick<OkxAliasStore, 'load' | 'setEverywhere' | 'setSite'>
  notifications: Pick<Notifications, 'view' | 'change'>
}

/**
 * The person's settings, the sites where the wallet answers as `window.okxwallet`, and notifications. What a setting may be is
 * checked by the store. Nothing here asks a server but notifications, once they are on.
 */
export const settingsMethods = {
  async changeSettings({ wallet }, patch) {
    const before = await wallet.settings.load()
    const settings = await wallet.settings.change(patch)
    // Announcing sets the alarm of auto-lock again, counted from the person's last action.
    if (settings.autoLockMinutes !== before.autoLockMinutes) wallet.announce()
    return settings
  },

  getOkxAlias: ({ wallet }) => wallet.okxAlias.load(),

  /** Pages that are open already notice it when they are loaded again. */
  setOkxAlias: ({ wallet }, change) =>
    'everywhere' in change
      ? wallet.okxAlias.setEverywhere(change.everywhere)
      : wallet.okxAlias.setSite(change.origin, change.on),

  getNotifications: ({ wallet }) => wallet.notifications.view(),

  setNotifications: ({ wallet }, patch) => wallet.notifications.change(patch),
} satisfies UiMethodsOf<SettingsMethodParts>

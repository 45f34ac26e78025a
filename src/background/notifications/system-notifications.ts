import type { Notifications } from 'webextension-polyfill'
import { browser } from '../../browser/browser.ts'

/** One of the browser's notifications: plain text of the wallet's own words. `id` says what it is about, for when it is pressed. */
export type Notice = { id: string; title: string; message: string }

/** What the browser can do with notifications; each rejects where it has none, such as without the permission. */
export type SystemNotifications = {
  show(notice: Notice): Promise<unknown>
  /** Ids of those that are there and were not dismissed. */
  listShown(): Promise<readonly string[]>
  clear(id: string): Promise<unknown>
  /** `granted`, or `denied` where the person or the system lets the extension show none. */
  level(): Promise<string>
  /** Gives back the leave to show any. */
  release(): Promise<unknown>
  /** The person's languages in the browser, the one they read best first. */
  languages(): readonly string[]
}

const ICON = 'icons/128.png'

/** The browser's, with no more than every browser has. The API is there as long as the person allows it, so it is looked up each time. */
export function systemNotifications(): SystemNotifications {
  return {
    show: async ({ id, title, message }) => {
      const iconUrl = browser.runtime.getURL(ICON)
      return browser.notifications.create(id, { type: 'basic', iconUrl, title, message })
    },
    listShown: async () => Object.keys(await browser.notifications.getAll()),
    clear: async id => browser.notifications.clear(id),
    async level() {
      const api: WithLevel = browser.notifications
      return (await api.getPermissionLevel?.()) ?? 'granted'
    },
    release: async () => browser.permissions.remove({ permissions: ['notifications'] }),
    languages: () => navigator.languages,
  }
}

/** Chromium's alone; in Firefox nobody can tell. */
type WithLevel = Notifications.Static & { getPermissionLevel?(): Promise<string> }

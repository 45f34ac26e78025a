import type { Storage } from 'webextension-polyfill'
import { browser } from '../browser/browser.ts'
import { createCachedArea } from './cached-area.ts'
import type { StorageArea } from './storage-area.ts'
import { createVersionedArea, type StorageVersions } from './versioned-area.ts'

/** What outlives the browser, and updates of the extension. */
export function localArea(versions: StorageVersions): StorageArea {
  return createCachedArea(createVersionedArea(bindArea(browser.storage.local), versions))
}

/** What the browser copies to the person's other computers, and what content scripts can read and write: hints at most. */
export function syncArea(): StorageArea {
  return bindArea(browser.storage.sync)
}

/**
 * Closes `local` and `session` to content scripts, which run in the processes of pages. Chromium alone can; in Firefox
 * `session` is closed anyhow, and `local` stays open.
 */
export async function closeAreas(): Promise<void> {
  const areas: RestrictedArea[] = [browser.storage.local, browser.storage.session]
  await Promise.all(areas.map(area => area.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' })))
}

type RestrictedArea = Storage.StorageArea & {
  setAccessLevel?(options: { accessLevel: 'TRUSTED_CONTEXTS' }): Promise<void>
}

/** What lives in memory until the browser closes; content scripts have no access. */
export function sessionArea(): StorageArea {
  return createCachedArea(bindArea(browser.storage.session))
}

function bindArea(area: Storage.StorageArea): StorageArea {
  const get = async (key: string) => (await area.get(key))[key]
  return {
    get,
    getStored: get,
    set: entries => area.set(entries),
    remove: keys => area.remove(keys),
    clear: () => area.clear(),
  }
}

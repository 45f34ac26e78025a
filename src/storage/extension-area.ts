import browser, { type Storage } from 'webextension-polyfill'
import { createCachedArea } from './cached-area.ts'
import type { StorageArea } from './storage-area.ts'

/** What outlives the browser. */
export function localArea(): StorageArea {
  return createCachedArea(bindArea(browser.storage.local))
}

/** What lives in memory until the browser closes; content scripts have no access (the default of `session`). */
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

import type { Browser } from 'webextension-polyfill'

/**
 * The browser's own API for extensions, which gives promises in both browsers since Manifest V3: `browser` in Firefox,
 * `chrome` in Chromium. One thing differs in older versions of Chromium: a listener of `runtime.onMessage` may give no promise
 * there, so ours answer through `sendResponse`. Nothing outside a browser has it, and there it is undefined.
 */
export const browser: Browser =
  Reflect.get(globalThis, 'browser') ?? Reflect.get(globalThis, 'chrome')

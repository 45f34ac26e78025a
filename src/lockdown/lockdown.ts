import { restoreStacks } from './without-stacks.ts'
import 'ses/lockdown-shim.js'
import type { Harden, Lockdown } from 'ses'
import { listBrowserGlobals, listLanguageGlobals } from './global-names.ts'

/**
 * The first code of every extension page and of the worker: afterwards no package can change what the language gives to all
 * others, such as `Array.prototype` or `Promise.prototype.then`, nor take the place of `crypto` and `fetch`. It must be
 * evaluated before any other code, so the build makes it a file of its own that imports nothing, and the beginning of the
 * worker's script (`vite.config.ts`).
 * It does not keep a package from calling what it can name, nor guard what the browser's API objects hold.
 */

declare const lockdown: Lockdown
declare const harden: Harden

restoreStacks()

lockdown({
  // Stacks stay readable, and errors are the browser's own: nothing here keeps two programs apart.
  errorTaming: 'unsafe',
  errorTrapping: 'none',
  unhandledRejectionTrapping: 'none',
  consoleTaming: 'unsafe',
  reporting: 'none',
  // Amounts and dates are written in the person's language.
  localeTaming: 'unsafe',
  // The policy of the pages forbids both already.
  evalTaming: 'no-eval',
  overrideTaming: 'min',
})

// The worker needs one policy for trusted types, so that Chromium lets pages make one of that name too: here it is taken, and gives nothing.
if ('document' in globalThis) {
  try {
    Object(globalThis).trustedTypes?.createPolicy('worker', {})
  } catch {
    // Firefox lets none be made.
  }
}

for (const name of listBrowserGlobals(globalThis)) harden(Reflect.get(globalThis, name))
harden(crypto.subtle)
for (const name of [...listLanguageGlobals(globalThis), ...listBrowserGlobals(globalThis)]) {
  Object.defineProperty(globalThis, name, {
    value: Reflect.get(globalThis, name),
    writable: false,
    configurable: false,
  })
}

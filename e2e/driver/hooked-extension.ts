import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserName } from './engine.ts'

/** What tests replace in the background of {@link hookExtension}. */
export type TestHooks = { fetch: typeof fetch; now(): number }

const WORKER = 'worker.js'

/**
 * A copy of the build in a temporary folder, whose background evaluates something before lockdown: lockdown makes `fetch` and
 * the clock unchangeable, and in this copy what they look up in `globalThis.testHooks` is not.
 */
export function hookExtension(browser: BrowserName): string {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-hooked-'))
  cpSync(browser === 'firefox' ? 'dist/firefox' : 'dist/chrome', folder, { recursive: true })
  const worker = join(folder, WORKER)
  writeFileSync(worker, `(${installHooks})();\n${readFileSync(worker, 'utf8')}`)
  return folder
}

/** Runs in the background. */
function installHooks(): void {
  const hooks = { fetch: globalThis.fetch.bind(globalThis), now: Date.now }
  Object.assign(globalThis, { testHooks: hooks })
  globalThis.fetch = (...args) => hooks.fetch(...args)
  Date.now = () => hooks.now()
}

/** Runs in the background of {@link hookExtension}. */
export function moveClock(ms: number): void {
  const { testHooks } = globalThis as unknown as { testHooks: TestHooks }
  const before = testHooks.now
  testHooks.now = () => before() + ms
}

import type { UiMethodName } from '../../background/views/ui-methods.ts'

const PAUSE_MS = 250

/** Calls that do something a second time when they are made again, or then fail because it is done. */
const ONCE: ReadonlySet<UiMethodName> = new Set([
  'createVault',
  'changePassword',
  'addAccount',
  'addPhrase',
  'addScanned',
  'importWif',
  'addDevice',
  'watchAddress',
  'saveContact',
  'dropUnsent',
])

/** Whether a call that had no answer may not simply be made again. */
export function isOnceOnly(method: UiMethodName): boolean {
  return ONCE.has(method)
}

/**
 * Sends a call, and once more where it failed: a background that is being restarted has no listener for a moment. A call that
 * is to be made once is sent again only if nobody heard it. Undefined when there is no answer.
 */
export async function sendAgain(
  method: UiMethodName,
  send: () => Promise<unknown>,
  wait: (ms: number) => Promise<void>,
): Promise<unknown> {
  try {
    return await send()
  } catch (error) {
    if (isOnceOnly(method) && !isUnheard(error)) return undefined
    await wait(PAUSE_MS)
    return send().catch(() => undefined)
  }
}

/** In the words of both browsers. */
function isUnheard(error: unknown): boolean {
  return error instanceof Error && error.message.includes('Receiving end does not exist')
}

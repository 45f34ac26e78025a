import { assertLockdown } from '../lockdown/assert-lockdown.ts'
import { call, isToolbarPopup } from './platform/rpc.ts'
import { TIMEOUT_MS, withTimeout } from './platform/with-timeout.ts'
import { loadWords } from './platform/words.ts'

/**
 * What the first screen cannot be drawn without, asked for before React and the screens' own code are evaluated: popup.html
 * names this file first.
 */

assertLockdown()

/** Null where the background has not answered in time. */
export const firstState = withTimeout(TIMEOUT_MS, call('getState', null)).catch(() => null)

export const isInToolbarPopup = isToolbarPopup()

// The words that are most likely wanted.
loadWords('auto').catch(() => {})

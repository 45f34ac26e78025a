import type { GrantTerm } from '../../../background/views/settings-views.ts'
import type { WordKey } from '../../platform/words.ts'

export const GRANT_TERMS: readonly GrantTerm[] = ['always', 'day', 'lock']

/** How long a site stays connected. */
export const TERM_NAMES: { [term in GrantTerm]: WordKey } = {
  always: 'siteTermAlways',
  day: 'siteTermDay',
  lock: 'siteTermLock',
}

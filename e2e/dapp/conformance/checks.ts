import { ACCOUNT_CHECKS } from './account.ts'
import { ASSET_CHECKS } from './assets.ts'
import { BEYOND_CHECKS } from './beyond.ts'
import { BROADCAST_CHECKS } from './broadcast.ts'
import type { Check } from './check.ts'
import { EVENT_CHECKS } from './events.ts'
import { INSCRIPTION_CHECKS } from './inscriptions.ts'
import { MINT_CHECKS } from './mint.ts'
import { PAY_CHECKS } from './pay.ts'
import { SIGN_CHECKS } from './psbt.ts'
import { MESSAGE_CHECKS } from './sign.ts'
import { SPLIT_CHECKS } from './split.ts'
import { UNISAT_CHECKS } from './unisat.ts'

/**
 * Everything that is checked, in its order: what a page may not do before it is connected comes first, what keeps coins
 * back or ends the connection last.
 */
export const CHECKS: readonly Check[] = [
  ...ACCOUNT_CHECKS,
  ...MESSAGE_CHECKS,
  ...INSCRIPTION_CHECKS,
  ...SIGN_CHECKS,
  ...BROADCAST_CHECKS,
  ...PAY_CHECKS,
  ...ASSET_CHECKS,
  ...MINT_CHECKS,
  ...SPLIT_CHECKS,
  ...EVENT_CHECKS,
  ...UNISAT_CHECKS,
  ...BEYOND_CHECKS,
]

import { ACCOUNT_CHECKS } from './conformance-account.ts'
import { ASSET_CHECKS } from './conformance-assets.ts'
import { BEYOND_CHECKS } from './conformance-beyond.ts'
import { BROADCAST_CHECKS } from './conformance-broadcast.ts'
import type { Check } from './conformance-check.ts'
import { EVENT_CHECKS } from './conformance-events.ts'
import { INSCRIPTION_CHECKS } from './conformance-inscriptions.ts'
import { MINT_CHECKS } from './conformance-mint.ts'
import { PAY_CHECKS } from './conformance-pay.ts'
import { SIGN_CHECKS } from './conformance-psbt.ts'
import { MESSAGE_CHECKS } from './conformance-sign.ts'
import { SPLIT_CHECKS } from './conformance-split.ts'

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
  ...BEYOND_CHECKS,
]

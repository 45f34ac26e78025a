import type { Brc20Obstacle } from '../../../background/views/brc20-views.ts'
import type { Brc20Operation } from '../../../ordinals/brc20/brc20-operation.ts'
import { type WordKey, words } from '../../platform/words.ts'
import { formatRuneAmount } from '../../ui/text/asset-names.ts'
import { spellWord } from '../../ui/text/visible-parts.ts'

/** What each kind of operation is called. */
export const OPERATION_NAMES: { [op in Brc20Operation['op']]: WordKey } = {
  deploy: 'pictureDeploy',
  mint: 'pictureMint',
  transfer: 'pictureTransfer',
}

/** Why an index would not count it, as a sentence. */
export const OBSTACLE_WORDS: { [why in Brc20Obstacle]: WordKey } = {
  'not-deployed': 'brc20NotDeployed',
  'already-deployed': 'brc20AlreadyDeployed',
  'over-limit': 'brc20OverLimit',
  'minted-out': 'brc20MintedOut',
  insufficient: 'brc20Insufficient',
  'too-precise': 'brc20TooPrecise',
  'not-deployer': 'brc20NotDeployer',
  order: 'brc20Order',
}

/** Whether no index would count it as things are now. */
export function isHindrance(obstacle: Brc20Obstacle): boolean {
  return !isOrder(obstacle)
}

/** Whether it counts depends on the order in blocks. */
export function isOrder(obstacle: Brc20Obstacle): boolean {
  return obstacle === 'order'
}

/** "1,000.5 ordi". */
export function nameTokens(amount: string, tick: string): string {
  return words('brc20Tokens', { amount: formatRuneAmount(amount), tick: spellWord(tick) })
}

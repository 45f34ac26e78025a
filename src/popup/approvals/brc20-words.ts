import type { Brc20Obstacle } from '../../background/ui-methods/brc20-views.ts'
import type { Brc20Operation } from '../../ordinals/brc20-operation.ts'
import { formatRuneAmount } from '../ui/asset-names.ts'
import { spellWord } from '../ui/visible-parts.ts'
import { type WordKey, words } from '../words.ts'

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
}

/** "1,000.5 ordi". */
export function nameTokens(amount: string, tick: string): string {
  return words('brc20Tokens', { amount: formatRuneAmount(amount), tick: spellWord(tick) })
}

/** "Mint 1,000": an operation where its ticker stands beside it. */
export function nameOperation(operation: Brc20Operation): string {
  const amount = operation.op === 'deploy' ? operation.max : operation.amt
  return `${words(OPERATION_NAMES[operation.op])} ${formatRuneAmount(amount)}`
}

import type { HeldReason, UncheckedReason } from '../../../background/views/asset-views.ts'
import type { CoinView } from '../../../background/views/payment-views.ts'

/** Coins that are held for the same reason, or, with null, for none. */
export type CoinGroup = {
  held: HeldReason | null
  coins: CoinView[]
  sats: bigint
  /** Why it is not known what sits on them, where that is the same for all; else each has its own. */
  unchecked: UncheckedReason | null
}

const ORDER: readonly (HeldReason | null)[] = [
  null,
  'locked',
  'inscribed',
  'atomical',
  'runic',
  'ordinals',
  'rare',
  'small',
  'dust',
  'unknown',
  'unconfirmed',
  'reserved',
]

/** Coins by why they are held: those that can be spent first, no group empty, the order within a group kept. */
export function groupCoins(coins: readonly CoinView[]): CoinGroup[] {
  return ORDER.flatMap(held => {
    const members = coins.filter(coin => coin.held === held)
    if (members.length === 0) return []
    const reasons = new Set(members.map(({ unchecked }) => unchecked))
    const [unchecked = null] = reasons.size === 1 ? reasons : []
    const sats = members.reduce((sum, { sats }) => sum + BigInt(sats), 0n)
    return [{ held, coins: members, sats, unchecked }]
  })
}

/** What a person does with a coin by pressing its button; null for coins that stay as they are. */
export type CoinAction = 'lock' | 'unlock' | 'allow' | 'protect'

/** What the button of a coin does; null for a coin that has none. */
export function actionOf({ held, choice }: CoinView): CoinAction | null {
  switch (held) {
    case 'locked':
      return 'unlock'
    case 'inscribed':
    case 'atomical':
    case 'runic':
    case 'ordinals':
    case 'rare':
    case 'small':
    case 'dust':
    case 'unknown':
      return 'allow'
    case 'unconfirmed':
    case 'reserved':
      return null
    case null:
      return choice === 'unlocked' ? 'protect' : 'lock'
  }
}

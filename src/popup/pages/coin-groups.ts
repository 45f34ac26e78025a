import type { CoinView, HeldReason } from '../../background/ui-methods/payment-views.ts'

/** Coins that are held for the same reason, or, with null, for none. */
export type CoinGroup = { held: HeldReason | null; coins: CoinView[]; sats: bigint }

const ORDER: readonly (HeldReason | null)[] = [null, 'locked', 'postage', 'unconfirmed', 'reserved']

/** Coins by why they are held: those that can be spent first, no group empty, the order within a group kept. */
export function groupCoins(coins: readonly CoinView[]): CoinGroup[] {
  return ORDER.flatMap(held => {
    const members = coins.filter(coin => coin.held === held)
    if (members.length === 0) return []
    return [
      { held, coins: members, sats: members.reduce((sum, { sats }) => sum + BigInt(sats), 0n) },
    ]
  })
}

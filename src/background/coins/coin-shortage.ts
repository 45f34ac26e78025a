import { InsufficientFundsError } from '../../bitcoin/payments/coin-selection.ts'
import { failure, invalidParams, type ProviderError } from '../../provider/errors.ts'
import type { HeldReason } from '../views/asset-views.ts'
import type { Coin, Coins } from './coins.ts'

/**
 * Builds a payment from the spendable coins. When they do not suffice, says which others there are and why they are not
 * spent: COINS_HELD when those would do, else INSUFFICIENT_FUNDS.
 */
export function buildOrThrowInsufficient<P>(
  { all, spendable, isSecret }: Coins,
  build: (utxos: readonly Coin[]) => P,
): P {
  try {
    return build(spendable)
  } catch (cause) {
    if (!(cause instanceof InsufficientFundsError)) throw cause
    if (isSecret)
      throw failure('INSUFFICIENT_FUNDS', 'The account has not enough that can be spent.', {
        cause,
      })
    const { needed, available } = cause
    const reason = canBuild(() => build(all)) ? 'COINS_HELD' : 'INSUFFICIENT_FUNDS'
    throw failure(reason, cause.message, {
      cause,
      data: { needed: String(needed), available: String(available), ...describeHeld(all) },
    })
  }
}

/** The coins at these outpoints, which must be there and not be held. Throws -32602 or COINS_HELD. */
export function takeCoins({ all }: Coins, outpoints: readonly string[]): Coin[] {
  const byOutpoint = new Map(all.map(coin => [coin.outpoint, coin]))
  const coins = outpoints.map(outpoint => {
    const coin = byOutpoint.get(outpoint)
    if (!coin) throw invalidParams('coins', outpoint, 'unspent coins of this account')
    return coin
  })
  const held = coins.filter(coin => coin.held !== null)
  if (held.length > 0) throw coinsHeld(held)
  return coins
}

/** COINS_HELD for coins that were asked for by name. */
export function coinsHeld(held: readonly Coin[]): ProviderError {
  const outpoints = held.map(({ outpoint }) => outpoint).join(', ')
  return failure('COINS_HELD', `These coins are held: ${outpoints}`, { data: describeHeld(held) })
}

function canBuild(build: () => unknown): boolean {
  try {
    build()
    return true
  } catch {
    return false
  }
}

/** Sats that are not spent, by reason, and why most of those of unknown content are unknown. */
function describeHeld(coins: readonly Coin[]) {
  const held = sumBy(coins, coin => coin.held)
  const unknown = sumBy(coins, ({ held, assets }) =>
    held === 'unknown' && !assets.known ? assets.why : null,
  )
  const sats = (reason: HeldReason) => String(held.get(reason) ?? 0n)
  const [mostUnknown] = [...unknown].sort(([, a], [, b]) => (a > b ? -1 : 1))
  return {
    heldByPayments: sats('reserved'),
    heldUnconfirmed: sats('unconfirmed'),
    heldInscribed: sats('inscribed'),
    heldAtomical: sats('atomical'),
    heldRunic: sats('runic'),
    heldOrdinals: sats('ordinals'),
    heldSmall: sats('small'),
    heldDust: sats('dust'),
    heldRare: sats('rare'),
    heldUnknown: sats('unknown'),
    heldLocked: sats('locked'),
    unknownWhy: mostUnknown?.[0] ?? null,
  }
}

function sumBy<Key extends string>(
  coins: readonly Coin[],
  keyOf: (coin: Coin) => Key | null,
): Map<Key, bigint> {
  const sums = new Map<Key, bigint>()
  for (const coin of coins) {
    const key = keyOf(coin)
    if (key !== null) sums.set(key, (sums.get(key) ?? 0n) + coin.amount)
  }
  return sums
}

import type { CoinView } from '../../../background/views/payment-views.ts'
import { RpcError } from '../../platform/rpc.ts'
import { type WordKey, words } from '../../platform/words.ts'
import { formatRuneAmount } from '../../ui/text/asset-names.ts'
import { plainNumber } from '../../ui/text/typed-number.ts'

/** Each unit is a sat, and outputs of fewer sats are not passed on. */
export const LEAST_UNITS = 546n

/** Units that somebody typed, or why these cannot be sent, in words; `sendable` is null while not known. */
export function parseUnits(
  typed: string,
  sendable: bigint | null,
): { units: bigint } | { error: string } {
  const text = plainNumber(typed)
  if (text === '') return { error: words('brc20AmountMissing') }
  if (text.includes(',')) return { error: words('atomicalsAmountComma') }
  if (!/^\d+$/.test(text)) return { error: words('atomicalsAmountWhole') }
  const units = BigInt(text)
  if (sendable !== null && units > sendable)
    return { error: words('brc20AmountTooMuch', { most: formatUnits(sendable) }) }
  if (units < LEAST_UNITS)
    return { error: words('atomicalsAmountLeast', { least: formatUnits(LEAST_UNITS) }) }
  return { units }
}

/** Why units of a token cannot be sent now. */
export type Obstacle = 'reserved' | 'locked' | 'shared' | 'unconfirmed' | 'other'

export const OBSTACLE_WORDS: { [obstacle in Obstacle]: WordKey } = {
  reserved: 'atomicalsHeldReserved',
  locked: 'atomicalsHeldLocked',
  shared: 'atomicalsHeldShared',
  unconfirmed: 'atomicalsHeldUnconfirmed',
  other: 'atomicalsHeldOther',
}

/** Units of a token that cannot be sent now, by what stands against it, most units first. */
export function listUnsendable(
  coins: readonly CoinView[],
  id: string,
): { obstacle: Obstacle; units: bigint }[] {
  const sums = new Map<Obstacle, bigint>()
  for (const coin of coins) {
    const obstacle = obstacleOn(coin)
    if (obstacle === null) continue
    for (const asset of coin.assets) {
      if (asset.kind !== 'atomical' || asset.type !== 'ft' || asset.id !== id) continue
      sums.set(obstacle, (sums.get(obstacle) ?? 0n) + BigInt(asset.amount))
    }
  }
  return [...sums]
    .map(([obstacle, units]) => ({ obstacle, units }))
    .sort((a, b) => (a.units < b.units ? 1 : -1))
}

function obstacleOn({ held, assets }: CoinView): Obstacle | null {
  if (held === 'reserved' || held === 'locked') return held
  if (assets.length > 1) return 'shared'
  if (held === 'unconfirmed') return 'unconfirmed'
  return held === null || held === 'atomical' ? null : 'other'
}

/**
 * What the background says against an amount of units, in words: `data.least` is the least that an output takes,
 * `data.nearest` are amounts that can be sent instead. Null for an error about anything else.
 */
export function explainRefusal(error: unknown): string | null {
  if (!(error instanceof RpcError) || error.code !== -32602) return null
  const expected = /^amount: expected (.+), got /s.exec(error.message)?.[1]
  if (expected === undefined) return null
  const nearest = [error.data?.nearest ?? []].flat().map(String).filter(isUnits)
  if (nearest.length > 0)
    return words('atomicalsAmountNearest', {
      nearest: nearest.map(formatRuneAmount).join(' · '),
      least: formatUnits(LEAST_UNITS),
    })
  const least = error.data?.least
  if (typeof least === 'string' && isUnits(least))
    return words('atomicalsAmountLeast', { least: formatRuneAmount(least) })
  return words('atomicalsAmountRefused', { expected })
}

function isUnits(text: string): boolean {
  return /^\d+$/.test(text)
}

export function formatUnits(units: bigint): string {
  return formatRuneAmount(String(units))
}

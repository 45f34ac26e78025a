import { dustLimit } from '../../bitcoin/dust.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import {
  assetScriptOf,
  buildLedPayment,
  type Payer,
  type Payment,
} from '../../bitcoin/payments/payment.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import type { AtomicalAsset } from '../asset.ts'
import type { AtomicalId } from '../atomical-id.ts'
import { traceAssets } from '../flow/asset-flow.ts'
import type { AssetCoin } from './coin-cut.ts'
import { MixedTokensError, POSTAGE } from './transfer.ts'

/** Fewer units than are to be sent. */
export class InsufficientUnitsError extends Error {
  override name = 'InsufficientUnitsError'
  readonly needed: bigint
  readonly available: bigint
  constructor(needed: bigint, available: bigint) {
    super(`${needed} units are needed and ${available} are there`)
    this.needed = needed
    this.available = available
  }
}

/**
 * An amount of units that cannot be sent: an output has as many sats as units, and what is sent or what comes back would be
 * too few sats for one.
 */
export class UnsendableUnitsError extends Error {
  override name = 'UnsendableUnitsError'
  readonly amount: bigint
  /** The nearest amounts that can be sent; null where there is none. */
  readonly below: bigint | null
  readonly above: bigint | null
  constructor({
    amount,
    below,
    above,
  }: { amount: bigint; below: bigint | null; above: bigint | null }) {
    super(
      `${amount} units cannot be sent; ${below ?? 'none'} below and ${above ?? 'none'} above can`,
    )
    this.amount = amount
    this.below = below
    this.above = above
  }
}

export type Arc20TransferParams = {
  token: AtomicalId
  /** Of the account; with units of this token each, and nothing else. */
  coins: readonly AssetCoin[]
  /** Units. */
  amount: bigint
  /** scriptPubKey of the receiver. */
  to: Uint8Array
  /** Clean coins that may pay the fee. */
  utxos: readonly Utxo[]
  /** Further clean coins that are all spent. */
  required?: readonly Utxo[]
  own: Payer
  /** sat/vB. */
  feeRate: number
  seed: string
}

/**
 * Sends exactly so many units of an ARC-20 token: its coins first, then clean coins; as many sats as units to the receiver, as
 * many as are left over of the token back to the account, the change last. Throws {@link InsufficientUnitsError},
 * {@link UnsendableUnitsError}, MixedTokensError for coins that hold anything else, InsufficientFundsError,
 * TransactionTooLargeError.
 */
export function buildArc20Transfer(params: Arc20TransferParams): Payment {
  const { token, amount, to, utxos, required = [], own, feeRate, seed } = params
  const ownScript = assetScriptOf(own)
  const coins = params.coins.map(coin => ({ coin, units: countUnits(coin, token) }))
  const chosen = chooseCoins(coins, amount, { sent: leastOf(to), kept: leastOf(ownScript) })
  const rest = sumOf(chosen) - amount
  const sent = { scriptPubKey: to, amount }
  const payment = buildLedPayment({
    leading: {
      inputs: chosen.map(({ coin }) => coin),
      outputs: rest > 0n ? [sent, { scriptPubKey: ownScript, amount: rest }] : [sent],
    },
    utxos,
    required,
    own,
    feeRate,
    seed,
  })
  assertSent(payment, chosen, { amount, rest })
  return payment
}

type TokenCoin = { coin: AssetCoin; units: bigint }

/** Units of the least output that a script may have. */
function leastOf(script: Uint8Array): bigint {
  const limit = dustLimit(script)
  return limit > POSTAGE ? limit : POSTAGE
}

function countUnits({ assets, amount }: AssetCoin, token: AtomicalId): bigint {
  const [asset, ...others] = assets
  const isToken = (one: typeof asset): one is AtomicalAsset =>
    one?.kind === 'atomical' && one.type === 'ft' && one.id === token
  const isAlone = isToken(asset) && others.length === 0
  if (!isAlone || asset.amount <= 0n || asset.amount > amount) throw new MixedTokensError(token)
  return asset.amount
}

function chooseCoins(
  coins: readonly TokenCoin[],
  amount: bigint,
  least: { sent: bigint; kept: bigint },
): TokenCoin[] {
  const available = sumOf(coins)
  if (amount > available) throw new InsufficientUnitsError(amount, available)
  if (amount >= least.sent) {
    const chosen =
      amount + least.kept <= available
        ? chooseFew(coins, amount, least.kept)
        : leaveOut(coins, available - amount)
    if (chosen) return chosen
  }
  throw explainUnsendable(coins, amount, least)
}

/** One coin that is just right, or the fewest that leave enough to come back, and of those small ones. */
function chooseFew(coins: readonly TokenCoin[], amount: bigint, kept: bigint): TokenCoin[] {
  const exact = coins.find(({ units }) => units === amount)
  if (exact) return [exact]
  const ordered = coins.toSorted((a, b) => compare(b.units, a.units))
  let spare = -amount - kept
  let count = 0
  for (; spare < 0n && count < ordered.length; count++) spare += ordered[count]?.units ?? 0n
  const chosen = ordered.slice(0, count)
  const others = ordered.slice(count).reverse()
  for (const [at, { units }] of chosen.entries()) {
    const smaller = others.findIndex(other => other.units < units && units - other.units <= spare)
    const [other] = smaller < 0 ? [] : others.splice(smaller, 1)
    if (!other) continue
    spare -= units - other.units
    chosen[at] = other
  }
  return chosen
}

/** All coins but some that hold so many units together; null where none do. */
function leaveOut(coins: readonly TokenCoin[], units: bigint): TokenCoin[] | null {
  const sum = findSums(coins, units).get(units)
  if (!sum) return null
  const left = new Set<TokenCoin>()
  for (let part: Sum | null = sum; part?.last; part = part.before) left.add(part.last)
  return coins.filter(coin => !left.has(coin))
}

/** Coins as a chain, the last one first; the end of it has none. */
type Sum = { count: number; last: TokenCoin | null; before: Sum | null }

/** Every sum up to `most` of the units of some coins, of the most coins that make it. `most` is less than what an output of dust holds. */
function findSums(coins: readonly TokenCoin[], most: bigint): Map<bigint, Sum> {
  const sums = new Map<bigint, Sum>([[0n, { count: 0, last: null, before: null }]])
  for (const last of coins.filter(({ units }) => units <= most)) {
    for (const [units, before] of [...sums]) {
      const total = units + last.units
      const other = sums.get(total)
      const count = before.count + 1
      if (total <= most && (!other || other.count < count)) sums.set(total, { count, last, before })
    }
  }
  return sums
}

/** What can be sent leaves nothing or enough to come back, or what some coins hold exactly. */
function explainUnsendable(
  coins: readonly TokenCoin[],
  amount: bigint,
  least: { sent: bigint; kept: bigint },
): UnsendableUnitsError {
  const available = sumOf(coins)
  const exact = [...findSums(coins, least.kept - 1n).keys()].map(left => available - left)
  const most = available - least.kept
  const candidates = [least.sent, most, ...exact].filter(
    units => units >= least.sent && (units <= most || exact.includes(units)),
  )
  const below = candidates
    .filter(units => units < amount)
    .toSorted(compare)
    .at(-1)
  const above = candidates.filter(units => units > amount).toSorted(compare)[0]
  return new UnsendableUnitsError({ amount, below: below ?? null, above: above ?? null })
}

/** Whatever was built, the receiver gets just the amount, and the account what is left over. */
function assertSent(
  payment: Payment,
  chosen: readonly TokenCoin[],
  { amount, rest }: { amount: bigint; rest: bigint },
): void {
  const held = new Map(chosen.map(({ coin }) => [formatOutpoint(coin), coin.assets]))
  const { moves } = traceAssets({
    inputs: payment.inputs.map(input => ({
      amount: input.amount,
      assets: { known: true, assets: held.get(formatOutpoint(input)) ?? [] },
    })),
    outputs: payment.outputs,
  })
  const landed = [0n, 0n]
  for (const { asset, to } of moves) {
    const output = to.kind === 'output' ? to.output : -1
    if (asset.kind !== 'atomical' || !(output in landed))
      throw new Error('arc20 transfer: units would go astray')
    landed[output] = (landed[output] ?? 0n) + asset.amount
  }
  if (landed[0] !== amount || landed[1] !== rest)
    throw new Error('arc20 transfer: units would not land as they should')
}

function sumOf(coins: readonly TokenCoin[]): bigint {
  return coins.reduce((sum, { units }) => sum + units, 0n)
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b)
}

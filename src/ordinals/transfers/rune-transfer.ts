import type { AddressType } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { dustLimit } from '../../bitcoin/dust.ts'
import type { SpendType } from '../../bitcoin/multisig-type.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import {
  type AnyPayer,
  assetScriptFor,
  assetScriptOf,
  buildLedPayment,
  type Payment,
} from '../../bitcoin/payments/payment.ts'
import type { TransactionOutput } from '../../bitcoin/transaction.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import type { RuneAsset } from '../asset.ts'
import { traceAssets } from '../flow/asset-flow.ts'
import type { RuneId } from '../rune-id.ts'
import type { Edict } from '../runes/runestone.ts'
import { encipherRunestone } from '../runes/runestone-script.ts'
import type { AssetCoin } from './coin-cut.ts'
import { UncutAtomicalError, UnplacedInscriptionError } from './coin-cut.ts'
import { POSTAGE } from './transfer.ts'

/** Less of a rune than is to be sent, in its smallest unit. */
export class InsufficientRunesError extends Error {
  override name = 'InsufficientRunesError'
  readonly rune: RuneId
  readonly needed: bigint
  readonly available: bigint
  constructor(rune: RuneId, needed: bigint, available: bigint) {
    super(`${needed} of rune ${rune} are needed and ${available} are there`)
    this.rune = rune
    this.needed = needed
    this.available = available
  }
}

/** A coin holds a rune of which nobody has told the id, so that no edict can name it. */
export class UnidentifiedRuneError extends Error {
  override name = 'UnidentifiedRuneError'
  readonly rune: string
  constructor(rune: string) {
    super(`Nobody has told the id of rune ${rune}`)
    this.rune = rune
  }
}

/** The runestone would be longer than what all nodes relay. */
export class LongRunestoneError extends Error {
  override name = 'LongRunestoneError'
  constructor() {
    super(`The runestone would have more than ${MOST_SCRIPT} bytes`)
  }
}

/** So much of a rune, above 0 and in its smallest unit, to a scriptPubKey. */
export type RuneOrder = { rune: RuneId; amount: bigint; to: Uint8Array }

/** A payment, and its outputs that hold what is asked for. */
export type RuneTransfer<T extends SpendType = AddressType> = Payment<T> & {
  landings: readonly number[]
}

export type RuneTransferParams<P extends AnyPayer = AnyPayer> = {
  orders: readonly RuneOrder[]
  /** Coins of the account that hold what is asked for, with all that sits on them. */
  coins: readonly AssetCoin[]
  /** Clean coins that may pay the fee. */
  utxos: readonly Utxo[]
  /** Further clean coins that are all spent. */
  required?: readonly Utxo[]
  own: P
  /** sat/vB. */
  feeRate: number
  seed: string
}

/** Bytes of an OP_RETURN script that Bitcoin Core relayed before version 30. */
const MOST_SCRIPT = 83

/**
 * Sends runes: exactly what is asked for, each receiver on one output. Everything else comes back, also what no index told of:
 * all other runes on one output of its own, which has the sats of their coins, and inscriptions that share a coin with them on
 * outputs like theirs. Coins with nothing but what is asked for are taken before those with other runes, and these before those
 * with inscriptions. The runestone is the shortest that does it. Throws {@link InsufficientRunesError}, {@link UnidentifiedRuneError}, {@link LongRunestoneError},
 * UnplacedInscriptionError, UncutAtomicalError, InsufficientFundsError, TransactionTooLargeError.
 */
export function buildRuneTransfer<P extends AnyPayer>(
  params: RuneTransferParams<P>,
): RuneTransfer<P['addressType']> {
  const { utxos, required = [], own, feeRate, seed } = params
  const orders = joinOrders(params.orders)
  const chosen = chooseCoins(params.coins.map(readCoin), orders)
  const layout = layOut(chosen, orders, own)
  const payment = buildLedPayment({
    leading: { inputs: chosen.map(({ coin }) => coin), outputs: layout.outputs },
    utxos,
    required,
    own,
    feeRate,
    seed,
  })
  assertSent(payment, chosen, layout)
  return { ...payment, landings: layout.landings }
}

type RuneCoin = {
  coin: AssetCoin
  runes: ReadonlyMap<RuneId, bigint>
  /** Whether inscriptions sit on it, too. */
  isShared: boolean
}

/** What a receiver gets, all on one output. */
type Delivery = { to: Uint8Array; runes: Map<RuneId, bigint> }

function readCoin(coin: AssetCoin): RuneCoin {
  const runes = new Map<RuneId, bigint>()
  for (const asset of coin.assets) {
    if (asset.kind === 'atomical') throw new UncutAtomicalError(asset.id)
    if (asset.kind === 'inscription') {
      if (asset.offset === null) throw new UnplacedInscriptionError(asset.id)
    } else {
      const { rune, name, amount } = asset
      if (rune === null) throw new UnidentifiedRuneError(name)
      add(runes, rune, amount)
    }
  }
  return { coin, runes, isShared: coin.assets.some(({ kind }) => kind === 'inscription') }
}

/** By receiver, in the order in which they were first named. */
function joinOrders(orders: readonly RuneOrder[]): Delivery[] {
  if (orders.length === 0) throw new Error('rune transfer: nothing is asked for')
  const deliveries = new Map<string, Delivery>()
  for (const { rune, amount, to } of orders) {
    if (amount <= 0n) throw new Error('rune transfer: an amount is not above 0')
    const key = toHex(to)
    const delivery = deliveries.get(key) ?? { to, runes: new Map() }
    add(delivery.runes, rune, amount)
    deliveries.set(key, delivery)
  }
  return [...deliveries.values()]
}

/** Those with inscriptions first, so that these stay on outputs of the same place. */
function chooseCoins(coins: readonly RuneCoin[], deliveries: readonly Delivery[]): RuneCoin[] {
  const needs = sumUp(deliveries)
  const rankOf = ({ runes, isShared }: RuneCoin) =>
    (isShared ? 2 : 0) + ([...runes.keys()].every(rune => needs.has(rune)) ? 0 : 1)
  const chosen = new Set<RuneCoin>()
  for (const [rune, needed] of needs) {
    const holders = coins.filter(({ runes }) => runes.has(rune))
    const available = sumOf(holders, rune)
    if (available < needed) throw new InsufficientRunesError(rune, needed, available)
    for (const rank of [0, 1, 2, 3]) {
      const free = holders.filter(coin => rankOf(coin) === rank && !chosen.has(coin))
      for (const coin of takeFew(free, rune, needed - sumOf(chosen, rune))) chosen.add(coin)
    }
  }
  // What was taken for one rune may make up for what was taken for another.
  for (const coin of [...chosen].toSorted((a, b) => rankOf(b) - rankOf(a))) {
    chosen.delete(coin)
    const isNeeded = [...needs].some(([rune, needed]) => sumOf(chosen, rune) < needed)
    if (isNeeded) chosen.add(coin)
  }
  return [...chosen].toSorted((a, b) => Number(b.isShared) - Number(a.isShared))
}

/** One coin that is just right, else the fewest, and of those the last as small as it may be; all where they do not suffice. */
function takeFew(coins: readonly RuneCoin[], rune: RuneId, needed: bigint): RuneCoin[] {
  const amountOf = ({ runes }: RuneCoin) => runes.get(rune) ?? 0n
  const exact = coins.find(coin => amountOf(coin) === needed)
  if (exact) return [exact]
  const ordered = coins.toSorted((a, b) => compare(amountOf(b), amountOf(a)))
  const taken: RuneCoin[] = []
  let left = needed
  for (const [at, coin] of ordered.entries()) {
    if (left <= 0n) break
    const smallest =
      amountOf(coin) >= left ? ordered.findLast(other => amountOf(other) >= left) : coin
    taken.push(smallest ?? coin)
    left -= amountOf(ordered[at] ?? coin)
  }
  return taken
}

type Layout = {
  outputs: TransactionOutput[]
  /** What each output is to hold, by its place. */
  holds: Map<number, ReadonlyMap<RuneId, bigint>>
  /** The outputs of the receivers. */
  landings: number[]
}

/** Outputs for shared coins, everything else that stays, the receivers, and the runestone last. */
function layOut(
  chosen: readonly RuneCoin[],
  deliveries: readonly Delivery[],
  own: AnyPayer,
): Layout {
  const ownScript = assetScriptOf(own)
  const rest = findRest(chosen, deliveries)
  const shared = chosen.filter(({ isShared }) => isShared)
  const kept = shared.map(({ coin: { amount } }) => ({
    scriptPubKey: assetScriptFor(own, amount),
    amount,
  }))
  // Takes what no edict gives away, and all sats of the other coins.
  const home = kept.length
  const sats = chosen.reduce((sum, { coin, isShared }) => sum + (isShared ? 0n : coin.amount), 0n)
  const least = leastOf(ownScript)
  const outputs: TransactionOutput[] = [
    ...kept,
    { scriptPubKey: ownScript, amount: sats > least ? sats : least },
    ...deliveries.map(({ to }) => ({ scriptPubKey: to, amount: leastOf(to) })),
  ]
  const landings = deliveries.map((_, at) => home + 1 + at)
  const edicts = deliveries.flatMap(({ runes }, at) =>
    [...runes].map(([rune, amount]): Edict => ({ rune, amount, output: home + 1 + at })),
  )
  const scriptPubKey = encipherRunestone({ edicts, pointer: home > 0 ? home : null, mint: null })
  if (scriptPubKey.length > MOST_SCRIPT) throw new LongRunestoneError()
  outputs.push({ scriptPubKey, amount: 0n })
  const holds = new Map<number, ReadonlyMap<RuneId, bigint>>([[home, rest]])
  for (const [at, { runes }] of deliveries.entries()) holds.set(home + 1 + at, runes)
  return { outputs, holds, landings }
}

function findRest(
  chosen: readonly RuneCoin[],
  deliveries: readonly Delivery[],
): Map<RuneId, bigint> {
  const rest = new Map<RuneId, bigint>()
  for (const { runes } of chosen) for (const [rune, amount] of runes) add(rest, rune, amount)
  for (const [rune, amount] of sumUp(deliveries)) add(rest, rune, -amount)
  return new Map([...rest].filter(([, amount]) => amount > 0n))
}

/** Sats of the least output that a script may have here. */
function leastOf(script: Uint8Array): bigint {
  const limit = dustLimit(script)
  return limit > POSTAGE ? limit : POSTAGE
}

/** Whatever was built: each output holds the runes that it should, and inscriptions stay on the output of their coin. */
function assertSent(
  payment: Pick<Payment, 'inputs' | 'outputs'>,
  chosen: readonly RuneCoin[],
  { holds }: Layout,
): void {
  const held = new Map(chosen.map(({ coin }) => [formatOutpoint(coin), coin.assets]))
  const { moves } = traceAssets({
    inputs: payment.inputs.map(input => ({
      amount: input.amount,
      assets: { known: true, assets: held.get(formatOutpoint(input)) ?? [] },
    })),
    outputs: payment.outputs,
  })
  const landed = new Map<string, bigint>()
  for (const { asset, input, to } of moves) {
    const output = to.kind === 'output' ? to.output : null
    if (asset.kind === 'rune' && output !== null)
      add(landed, nameParcel(output, asset), asset.amount)
    else if (output === null || output !== input)
      throw new Error('rune transfer: something would go astray')
  }
  for (const [output, runes] of holds) {
    for (const [rune, amount] of runes) add(landed, nameParcel(output, { rune }), -amount)
  }
  if ([...landed.values()].some(amount => amount !== 0n))
    throw new Error('rune transfer: runes would not land as they should')
}

function nameParcel(output: number, { rune }: Pick<RuneAsset, 'rune'>): string {
  return `${output} ${rune}`
}

function sumUp(deliveries: readonly Delivery[]): Map<RuneId, bigint> {
  const sums = new Map<RuneId, bigint>()
  for (const { runes } of deliveries) for (const [rune, amount] of runes) add(sums, rune, amount)
  return sums
}

function sumOf(coins: Iterable<RuneCoin>, rune: RuneId): bigint {
  let sum = 0n
  for (const { runes } of coins) sum += runes.get(rune) ?? 0n
  return sum
}

function add<K>(sums: Map<K, bigint>, key: K, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount)
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b)
}

import { toHex } from '../../bitcoin/bytes.ts'
import type { RuneFacts } from '../../chain/asset-source.ts'
import { keyOfAsset } from '../../ordinals/asset-key.ts'
import {
  formatRuneAmount,
  InvalidRuneAmountError,
  parseRuneAmount,
  type RuneAmountFault,
} from '../../ordinals/runes/rune-amount.ts'
import {
  buildRuneTransfer,
  InsufficientRunesError,
  LongRunestoneError,
  type RuneOrder,
  UnidentifiedRuneError,
} from '../../ordinals/transfers/rune-transfer.ts'
import { failure, invalidParams } from '../../provider/errors.ts'
import { type PaymentContext, payerOf } from '../accounts/payment-context.ts'
import { loadMovable, type MovableCoin, renewCoins } from '../coins/asset-coins.ts'
import { buildOrThrowInsufficient } from '../coins/coin-shortage.ts'
import { proveRune } from '../collectibles/rune-proofs.ts'
import { listHeldRunes, mayGiveRunes } from '../collectibles/runes.ts'
import {
  buildWithCheckedInputs,
  describePlan,
  loadCoinsAndFeeRate,
  type Plan,
  type PlanningParts,
  parseAddressParam,
} from './payment-plan.ts'
import { withoutAssets } from './transfer-plan.ts'

/** So much of a rune, by its name and in whole runes, to an address; `fields` are names for errors. */
export type NamedRuneOrder = {
  rune: string
  amount: string
  to: string
  fields: { rune: string; amount: string; to: string }
}

export type RuneTransferOrder = {
  orders: readonly NamedRuneOrder[]
  /** sat/vB; null for the server's word on half an hour. */
  feeRate: number | null
  seed: string
}

/** An order whose rune was looked up. */
type KnownOrder = { named: NamedRuneOrder; facts: RuneFacts; order: RuneOrder }

/**
 * Works out a transaction that sends runes, brings back what is left of them and of others on their coins, and takes its fee
 * from clean coins; nothing is signed. The id of each rune is held against its etching. Throws -32602 that names the field,
 * PROTECTED_ASSET, COINS_HELD, INSUFFICIENT_FUNDS, BackendUnavailableError.
 */
export async function planRuneTransfer(
  context: PaymentContext<PlanningParts>,
  { orders, feeRate, seed }: RuneTransferOrder,
): Promise<Plan> {
  const { wallet, account } = context
  const at = wallet.now()
  const { known, unproven } = await identifyRunes(context, orders)
  const names = new Set(known.map(({ facts }) => facts.name))
  const load = async () => {
    const terms = await loadCoinsAndFeeRate(context, feeRate)
    const held = listHeldRunes(terms.coins.all).filter(
      one => names.has(one.asset.name) && mayGiveRunes(one),
    )
    const outpoints = [...new Set(held.map(({ coin }) => coin.outpoint))]
    const moved = await loadMovable(context, terms.coins, outpoints)
    return { ...terms, coins: renewCoins(terms.coins, moved), moved }
  }
  const { subject, payment } = await buildWithCheckedInputs(
    context,
    load,
    ({ coins, feeRate, moved }) =>
      buildOrThrowInsufficient(withoutAssets(coins, moved), utxos => {
        try {
          return buildRuneTransfer({
            orders: known.map(({ order }) => order),
            coins: moved.filter(isWithoutAtomicals),
            utxos,
            required: coins.withRequired([]),
            own: payerOf(account),
            feeRate,
            seed,
          })
        } catch (cause) {
          throw explainRefusal(cause, known)
        }
      }),
  )
  const moving = { asked: [...names], unproven, landings: payment.landings }
  const purpose = { purpose: 'transfer' as const, previous: null, moving }
  const plan = await describePlan(context, payment, purpose, { ...subject, at })
  assertReceived(plan, known)
  return plan
}

/** Whatever was built: each receiver gets exactly what was asked for, and nothing that sits on the coins is lost. */
function assertReceived({ review }: Plan, known: readonly KnownOrder[]): void {
  const open = new Map<string, bigint>()
  const add = (script: string, name: string, amount: bigint) => {
    const key = `${script} ${name}`
    open.set(key, (open.get(key) ?? 0n) + amount)
  }
  for (const { order, facts } of known) add(toHex(order.to), facts.name, order.amount)
  const divisibilities = new Map(known.map(({ facts }) => [facts.name, facts.divisibility]))
  for (const { asset, output } of review.assets.slice(0, review.asked)) {
    const script = output === null ? '' : (review.outputs[output]?.script ?? '')
    const name = keyOfAsset(asset)
    const amount = asset.kind === 'rune' ? asset.amount : '0'
    add(script, name, -parseRuneAmount(amount, divisibilities.get(name) ?? 0))
  }
  const isLost = review.assets.some(({ to }) => to !== 'own' && to !== 'foreign')
  if (isLost || [...open.values()].some(amount => amount !== 0n))
    throw failure('PROTECTED_ASSET', 'This would lose what sits on the coins. Nothing was signed.')
}

/** The index may have found something since the coin was chosen. */
function isWithoutAtomicals({ assets }: MovableCoin): boolean {
  return assets.every(({ kind }) => kind !== 'atomical')
}

async function identifyRunes(
  { wallet, network }: PaymentContext<PlanningParts>,
  orders: readonly NamedRuneOrder[],
): Promise<{ known: KnownOrder[]; unproven: string[] }> {
  const source = await wallet.assets(network)
  const found = new Map<string, RuneFacts>()
  const unproven: string[] = []
  const known: KnownOrder[] = []
  for (const named of orders) {
    const { rune, amount, fields } = named
    const to = parseAddressParam(fields.to, named.to, network)
    const facts = found.get(rune) ?? (await source.fetchRune(rune))
    if (facts === null) throw invalidParams(fields.rune, rune, 'a rune that the index knows')
    if (!found.has(rune)) {
      const proof = await proveRune(wallet, network, facts)
      if (proof === 'contradicted') {
        const text = `The chain says something else of rune ${facts.name} than the index. Nothing was moved.`
        throw failure('PROTECTED_ASSET', text, { data: { rune: facts.name } })
      }
      if (proof !== 'verified') unproven.push(facts.name)
      found.set(rune, facts)
    }
    const units = parseAmountParam(fields.amount, amount, facts)
    known.push({ named, facts, order: { rune: facts.id, amount: units, to } })
  }
  return { known, unproven }
}

const AMOUNT_WORDS: { [fault in RuneAmountFault]: (facts: RuneFacts) => string } = {
  malformed: () => 'a decimal amount as a text, such as 12.5',
  zero: () => 'an amount above 0',
  'too-precise': ({ divisibility }) => `at most ${divisibility} digits behind the point`,
  'too-large': () => 'an amount that fits 128 bits',
}

function parseAmountParam(field: string, amount: string, facts: RuneFacts): bigint {
  try {
    return parseRuneAmount(amount, facts.divisibility)
  } catch (cause) {
    if (!(cause instanceof InvalidRuneAmountError)) throw cause
    const expected = AMOUNT_WORDS[cause.reason](facts)
    throw Object.assign(invalidParams(field, amount, expected), { cause })
  }
}

function explainRefusal(cause: unknown, known: readonly KnownOrder[]): unknown {
  if (cause instanceof InsufficientRunesError) {
    const one = known.find(({ order }) => order.rune === cause.rune)
    if (!one) return cause
    const most = formatRuneAmount(cause.available, one.facts.divisibility)
    const expected = `at most ${most} ${one.facts.name}, which is what can be sent now`
    const { fields, amount } = one.named
    return Object.assign(invalidParams(fields.amount, amount, expected, { most }), { cause })
  }
  if (cause instanceof UnidentifiedRuneError) {
    const text = `Rune ${cause.rune} shares a coin with what is to move, and no index tells its id. Nothing was moved.`
    return failure('PROTECTED_ASSET', text, { cause, data: { rune: cause.rune } })
  }
  if (cause instanceof LongRunestoneError) {
    const expected = 'fewer runes or receivers: this runestone is longer than what all nodes relay'
    return Object.assign(invalidParams('orders', known.length, expected), { cause })
  }
  return cause
}

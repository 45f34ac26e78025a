import { toHex } from '../../bitcoin/bytes.ts'
import type { RuneFacts } from '../../chain/asset-source.ts'
import { keyOfAsset } from '../../ordinals/asset-key.ts'
import type { RuneId } from '../../ordinals/rune-id.ts'
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
import type { PayingContext } from '../accounts/payment-context.ts'
import { loadMovable, type MovableCoin, renewCoins } from '../coins/asset-coins.ts'
import { buildOrThrowInsufficient } from '../coins/coin-shortage.ts'
import { ofAsker } from '../coins/coins.ts'
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

/**
 * So much of a rune, by its name or id, to an address: a text is whole runes, a bigint the smallest unit. `fields` are names
 * for errors.
 */
export type NamedRuneOrder = {
  rune: string
  amount: string | bigint
  to: string
  fields: { rune: string; amount: string; to: string }
}

export type RuneTransferOrder = {
  orders: readonly NamedRuneOrder[]
  /** sat/vB; null for the server's word on half an hour. */
  feeRate: number | null
  seed: string
  /** Name of the orders. */
  field: string
}

/** Runes of orders that were looked up, in their order, and the names of those that no etching proves; JSON. */
export type IdentifiedRunes = {
  runes: readonly { id: RuneId; name: string; divisibility: number }[]
  unproven: readonly string[]
}

/** An order whose rune was looked up. */
type KnownOrder = {
  named: NamedRuneOrder
  facts: IdentifiedRunes['runes'][number]
  order: RuneOrder
}

/**
 * Looks up the runes of orders, and holds the id of each against its etching, which may take long. Throws -32602 that names the
 * field, PROTECTED_ASSET for a rune that the chain contradicts, BackendUnavailableError.
 */
export async function identifyRunes(
  { wallet, network }: PayingContext<PlanningParts>,
  orders: readonly NamedRuneOrder[],
): Promise<IdentifiedRunes> {
  for (const { fields, to } of orders) parseAddressParam(fields.to, to, network)
  const source = await wallet.assets(network)
  const found = new Map<string, RuneFacts>()
  const unproven = new Set<string>()
  for (const { rune, fields, amount } of orders) {
    if (!found.has(rune)) {
      const facts = await source.fetchRune(rune)
      if (facts === null) throw invalidParams(fields.rune, rune, 'a rune that the index knows')
      const proof = await proveRune(wallet, network, facts)
      if (proof === 'contradicted') {
        const text = `The chain says something else of rune ${facts.name} than the index. Nothing was moved.`
        throw failure('PROTECTED_ASSET', text, { data: { rune: facts.name } })
      }
      if (proof !== 'verified') unproven.add(facts.name)
      found.set(rune, facts)
    }
    parseAmountParam(fields.amount, amount, found.get(rune)?.divisibility ?? 0)
  }
  const runes = orders.flatMap(({ rune }) => {
    const facts = found.get(rune)
    return facts ? [{ id: facts.id, name: facts.name, divisibility: facts.divisibility }] : []
  })
  return { runes, unproven: [...unproven] }
}

/**
 * Works out a transaction that sends runes, brings back what is left of them and of others on their coins, and takes its fee
 * from clean coins; nothing is signed. Throws -32602 that names the field, PROTECTED_ASSET, COINS_HELD, INSUFFICIENT_FUNDS, BackendUnavailableError.
 */
export async function planRuneTransfer(
  context: PayingContext<PlanningParts>,
  { orders, feeRate, seed, field }: RuneTransferOrder,
  { runes, unproven }: IdentifiedRunes,
): Promise<Plan> {
  const { wallet, network, account } = context
  const at = wallet.now()
  const known = orders.map((named, at): KnownOrder => {
    const facts = runes[at]
    if (!facts) throw new Error('rune transfer: an order without its rune')
    const to = parseAddressParam(named.fields.to, named.to, network)
    const amount = parseAmountParam(named.fields.amount, named.amount, facts.divisibility)
    return { named, facts, order: { rune: facts.id, amount, to } }
  })
  const names = new Set(known.map(({ facts }) => facts.name))
  const load = async () => {
    const terms = await loadCoinsAndFeeRate(context, feeRate)
    const runes = await listHeldRunes(
      wallet,
      network,
      account.id,
      ofAsker(terms.coins, context).all,
    )
    const held = runes.filter(one => names.has(one.asset.name) && mayGiveRunes(one))
    const outpoints = [...new Set(held.map(({ coin }) => coin.outpoint))]
    const moved = await loadMovable(context, terms.coins, outpoints)
    return { ...terms, coins: renewCoins(terms.coins, moved), moved }
  }
  const { subject, payment } = await buildWithCheckedInputs(
    context,
    load,
    ({ coins, feeRate, own, moved }) => {
      const paying = withoutAssets(coins, moved)
      return buildOrThrowInsufficient(paying, utxos => {
        try {
          return buildRuneTransfer({
            orders: known.map(({ order }) => order),
            coins: moved.filter(isWithoutAtomicals),
            utxos,
            required: paying.withRequired([]),
            own,
            feeRate,
            seed,
          })
        } catch (cause) {
          throw explainRefusal(cause, known, field)
        }
      })
    },
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

const AMOUNT_WORDS: { [fault in RuneAmountFault]: (divisibility: number) => string } = {
  malformed: () => 'a decimal amount as a text, such as 12.5',
  zero: () => 'an amount above 0',
  'too-precise': divisibility => `at most ${divisibility} digits behind the point`,
  'too-large': () => 'an amount that fits 128 bits',
}

/** In the smallest unit. */
function parseAmountParam(field: string, amount: string | bigint, divisibility: number): bigint {
  try {
    return typeof amount === 'bigint' ? amount : parseRuneAmount(amount, divisibility)
  } catch (cause) {
    if (!(cause instanceof InvalidRuneAmountError)) throw cause
    const expected = AMOUNT_WORDS[cause.reason](divisibility)
    throw Object.assign(invalidParams(field, amount, expected), { cause })
  }
}

function explainRefusal(cause: unknown, known: readonly KnownOrder[], field: string): unknown {
  if (cause instanceof InsufficientRunesError) {
    const one = known.find(({ order }) => order.rune === cause.rune)
    if (!one) return cause
    const { fields, amount } = one.named
    const isOfUnits = typeof amount === 'bigint'
    const most = isOfUnits
      ? String(cause.available)
      : formatRuneAmount(cause.available, one.facts.divisibility)
    const what = isOfUnits ? `units of ${one.facts.name}` : one.facts.name
    const expected = `at most ${most} ${what}, which is what can be sent now`
    return Object.assign(invalidParams(fields.amount, amount, expected, { most }), { cause })
  }
  if (cause instanceof UnidentifiedRuneError) {
    const text = `Rune ${cause.rune} shares a coin with what is to move, and no index tells its id. Nothing was moved.`
    return failure('PROTECTED_ASSET', text, { cause, data: { rune: cause.rune } })
  }
  if (cause instanceof LongRunestoneError) {
    const expected = 'fewer runes or receivers: this runestone is longer than what all nodes relay'
    return Object.assign(invalidParams(field, known.length, expected), { cause })
  }
  return cause
}

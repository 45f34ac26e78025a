// minting: Mints of a rune: planned as a chain of transactions, approved and signed at once, and handed over as far as
// the index says that mints are left. It promises that no mint has a rune on an input, that nothing is handed over
// before all of it is stored, and that what was not sent when the rune is minted out never is.

import { addressOfScript } from '../../bitcoin/address.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import { feeRateOf } from '../../bitcoin/fee-rate.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { RuneFacts } from '../../chain/asset-source.ts'
import { formatRuneAmount } from '../../ordinals/runes/rune-amount.ts'
import { findMintStanding, type MintStanding } from '../../ordinals/runes/rune-mint.ts'
import { buildMintChain, MAX_MINTS } from '../../ordinals/transfers/rune-mint-chain.ts'
import { POSTAGE } from '../../ordinals/transfers/transfer.ts'
import { failure, invalidParams } from '../../provider/errors.ts'
import { listChangeScripts, type PaymentContext } from '../accounts/payment-context.ts'
import { encodePayment, type StoredPayment } from '../activity/stored-payment.ts'
import { buildOrThrowInsufficient } from '../coins/coin-shortage.ts'
import type { Coin, Coins } from '../coins/coins.ts'
import { proveRune } from '../collectibles/rune-proofs.ts'
import {
  buildWithCheckedInputs,
  loadCoinsAndFeeRate,
  type PlanningParts,
} from '../payments/payment-plan.ts'
import { withoutAssets } from '../payments/transfer-plan.ts'
import type { FeeReferences } from '../review/fee-rates.ts'
import { warnOfFee, warnOfUnconfirmed } from '../review/payment-warnings.ts'
import type { RuneProof } from '../views/asset-views.ts'
import type { RuneMintReview } from '../views/mint-views.ts'
import { assertDeviceCanMint } from './mint-on-device.ts'

export type MintOrder = {
  /** Its name. */
  rune: string
  count: number
  /** sat/vB; null for the server's word on half an hour. */
  feeRate: number | null
  seed: string
}

/** What a job says of its rune; the amount of a mint is decimal, in the smallest unit. */
export type MintedRune = Pick<RuneFacts, 'id' | 'name' | 'symbol' | 'divisibility'> & {
  amount: string
}

/** What was worked out and is shown; exactly this is signed. Coins from within the chain have ids of unsigned transactions. */
export type MintPlan = {
  rune: MintedRune
  payments: StoredPayment[]
  review: RuneMintReview
  /** Coins of the account that the first transaction spends. */
  spends: string[]
  at: number
}

/**
 * Works out the mints of a rune; nothing is signed. Throws -32602 that names the field, PROTECTED_ASSET where the chain says
 * something else of the rune, COINS_HELD, DEVICE_CANNOT, INSUFFICIENT_FUNDS, BackendUnavailableError.
 */
export async function planRuneMint(
  context: PaymentContext<PlanningParts>,
  order: MintOrder,
): Promise<MintPlan> {
  const { wallet, network } = context
  const { count, feeRate: asked, seed } = order
  if (!Number.isSafeInteger(count) || count < 1 || count > MAX_MINTS)
    throw invalidParams('count', count, `1 to ${MAX_MINTS} mints`)
  const at = wallet.now()
  const [source, chain] = await Promise.all([wallet.assets(network), wallet.chain(network)])
  const [facts, tip] = await Promise.all([source.fetchRune(order.rune), chain.fetchTip()])
  if (facts === null) throw invalidParams('rune', order.rune, 'a rune that the index knows')
  const standing = findMintStanding(facts, BigInt(tip.height + 1))
  assertOpen(order, facts, standing)
  const proof = await proveRune(wallet, network, facts)
  if (proof === 'contradicted') {
    const text = `The chain says something else of rune ${facts.name} than the index. Nothing was minted.`
    throw failure('PROTECTED_ASSET', text, { data: { rune: facts.name } })
  }
  const load = async () => {
    const terms = await loadCoinsAndFeeRate(context, asked)
    // What pays the mints after each goes on to the next, from one address; what is left is change, on another.
    const [, potScript] = await listChangeScripts(context, count > 1 ? 2 : 1)
    return { ...terms, potScript }
  }
  const { subject, payment } = await buildWithCheckedInputs(
    context,
    load,
    ({ coins, feeRate, own, potScript }) => {
      const paying = withoutAssets(coins, [])
      const payments = buildOrThrowInsufficient(paying, utxos =>
        buildOnConfirmed(utxos, usable =>
          buildMintChain({
            rune: facts.id,
            count,
            utxos: usable,
            required: paying.withRequired([]),
            own,
            ...(potScript && { potScript }),
            feeRate,
            seed,
          }),
        ),
      )
      return { payments, inputs: payments[0]?.inputs ?? [] }
    },
  )
  assertDeviceCanMint(context, payment.payments)
  const { id, name, symbol, divisibility } = facts
  const payments = payment.payments.map(encodePayment)
  const { coins } = subject
  const fees = await subject.feesAsked
  return {
    rune: { id, name, symbol, divisibility, amount: String(standing.amount) },
    payments,
    review: {
      ...reviewMints(context, payments, facts, { standing, proof, count, tip: tip.height }),
      ...reviewCost(payments, { coins, fees }),
      warnings: warnOfCost(payments, fees),
    },
    spends: payment.inputs.map(formatOutpoint),
    at,
  }
}

function assertOpen(
  { rune, count }: MintOrder,
  { name }: RuneFacts,
  standing: MintStanding,
): asserts standing is Extract<MintStanding, { is: 'open' }> {
  if (standing.is === 'closed') {
    const { why, start, end } = standing
    const expected = {
      unmintable: 'a rune that can be minted: this one has no terms for it',
      start: `a rune that can be minted now: this one from block ${start} on`,
      end: `a rune that can be minted now: this one before block ${end} only`,
      cap: 'a rune that can be minted: all mints of this one are done',
    }[why]
    throw invalidParams('rune', rune, expected, { name, closed: why })
  }
  if (standing.amount === 0n)
    throw invalidParams('rune', rune, 'a rune whose mints give something', { name })
  if (BigInt(count) > standing.remaining) {
    const most = String(standing.remaining)
    throw invalidParams('count', count, `at most ${most}, which is what is left`, { most })
  }
}

/** Unconfirmed coins would bring ancestors of their own into the chain, of which nodes relay 25. */
function buildOnConfirmed<T>(coins: readonly Coin[], build: (coins: readonly Coin[]) => T): T {
  const confirmed = coins.filter(({ height }) => height !== null)
  if (confirmed.length === coins.length) return build(coins)
  try {
    return build(confirmed)
  } catch {
    return build(coins)
  }
}

function reviewMints(
  { network }: PaymentContext<PlanningParts>,
  payments: readonly StoredPayment[],
  facts: RuneFacts,
  known: {
    standing: Extract<MintStanding, { is: 'open' }>
    proof: RuneProof
    count: number
    tip: number
  },
) {
  const { standing, proof, count, tip } = known
  const { id, name, symbol, divisibility } = facts
  const total = standing.amount * BigInt(count)
  const fee = sumFees(payments)
  return {
    kind: 'rune-mint' as const,
    rune: { id, name, symbol, proof },
    count,
    each: formatRuneAmount(standing.amount, divisibility),
    total: formatRuneAmount(total, divisibility),
    remaining: String(standing.remaining),
    end:
      standing.end === null
        ? null
        : { height: Number(standing.end), blocks: Number(standing.end) - tip - 1 },
    postage: String(POSTAGE),
    perRune: divideSats(fee * 10n ** BigInt(divisibility), total),
    inputs: (payments[0]?.inputs ?? []).map(({ txid, vout, sats, script }) => ({
      outpoint: formatOutpoint({ txid, vout }),
      address: addressOfScript(fromHex(script), network),
      sats,
      own: true,
    })),
  }
}

function reviewCost(
  payments: readonly StoredPayment[],
  { coins, fees }: { coins: Coins; fees: FeeReferences },
) {
  const [first] = payments
  const spent = new Set((first?.inputs ?? []).map(formatOutpoint))
  const change = first?.changeIndex == null ? '0' : (first.outputs[first.changeIndex]?.sats ?? '0')
  const rest = coins.spendable.filter(({ outpoint }) => !spent.has(outpoint))
  const fee = sumFees(payments)
  return {
    fee: String(fee),
    feeRate: feeRateOf(fee, sumSizes(payments)),
    recentFeeRate: fees.recent,
    transactions: payments.map(({ fee, vsize }) => ({ fee, vsize })),
    balanceAfter: String(rest.reduce((sum, { amount }) => sum + amount, BigInt(change))),
  }
}

function warnOfCost(payments: readonly StoredPayment[], fees: FeeReferences) {
  const [fee, vsize] = [sumFees(payments), sumSizes(payments)]
  return [
    ...warnOfFee({ fee, vsize, amount: null, fees }),
    ...warnOfUnconfirmed((payments[0]?.inputs ?? []).map(({ height }) => height === null)),
  ]
}

function sumFees(payments: readonly StoredPayment[]): bigint {
  return payments.reduce((sum, { fee }) => sum + BigInt(fee), 0n)
}

function sumSizes(payments: readonly StoredPayment[]): number {
  return payments.reduce((sum, { vsize }) => sum + vsize, 0)
}

/** With at most eight decimals, rounded up; null for nothing to divide by. */
function divideSats(sats: bigint, by: bigint): string | null {
  if (by === 0n) return null
  const scaled = (sats * 100_000_000n + by - 1n) / by
  return formatRuneAmount(scaled, 8)
}

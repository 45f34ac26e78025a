import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { keyOfAtomical } from '../../ordinals/asset-key.ts'
import type { AtomicalId } from '../../ordinals/atomical-id.ts'
import {
  buildArc20Transfer,
  InsufficientUnitsError,
  UnsendableUnitsError,
} from '../../ordinals/transfers/arc20-transfer.ts'
import { invalidParams, type ProviderError } from '../../provider/errors.ts'
import type { PaymentContext } from '../accounts/payment-context.ts'
import { loadMovable, type MovableCoin, renewCoins } from '../coins/asset-coins.ts'
import { buildOrThrowInsufficient } from '../coins/coin-shortage.ts'
import { isSendable, listHeld } from '../collectibles/atomicals.ts'
import { assertServerAgrees } from './atomicals-check.ts'
import {
  buildWithCheckedInputs,
  describePlan,
  loadCoinsAndFeeRate,
  type Plan,
  type PlanningParts,
  parseAddressParam,
} from './payment-plan.ts'
import { assertMoved, listCarried, withoutAssets } from './transfer-plan.ts'

/** Units of an ARC-20 token to send, as it is asked for in our own pages; `fields` are names for errors. */
export type TokenTransferOrder = {
  id: AtomicalId
  amount: bigint
  to: string
  /** sat/vB; null for the server's word on half an hour. */
  feeRate: number | null
  seed: string
  fields: { amount: string; to: string }
}

/**
 * Works out a transaction that sends exactly so many units, brings back what is left of the token's coins, and takes its fee
 * from clean coins; nothing is signed. Throws -32602 that names the field (with `nearest` amounts where another one would
 * do), PROTECTED_ASSET, COINS_HELD, INSUFFICIENT_FUNDS, BackendUnavailableError.
 */
export async function planTokenTransfer(
  context: PaymentContext<PlanningParts>,
  order: TokenTransferOrder,
): Promise<Plan> {
  const { wallet, network } = context
  const { id, amount, fields, feeRate, seed } = order
  const to = parseAddressParam(fields.to, order.to, network)
  const at = wallet.now()
  const load = async () => {
    const terms = await loadCoinsAndFeeRate(context, feeRate)
    const held = listHeld(terms.coins.all).filter(one => one.asset.id === id && isSendable(one))
    if (held.length === 0) throw invalidParams('id', id, 'a token of which units can be sent')
    const outpoints = held.map(({ coin }) => coin.outpoint)
    const coins = await loadMovable(context, terms.coins, outpoints)
    return { ...terms, coins: renewCoins(terms.coins, coins), moved: coins.filter(isAlone) }
  }
  const { subject, payment } = await buildWithCheckedInputs(
    context,
    load,
    ({ coins, feeRate, own, moved }) => {
      const paying = withoutAssets(coins, moved)
      return buildOrThrowInsufficient(paying, utxos => {
        const required = paying.withRequired([])
        const terms = { utxos, required, own, feeRate, seed }
        try {
          return buildArc20Transfer({ token: id, coins: moved, amount, to, ...terms })
        } catch (cause) {
          throw explainUnits(cause, order)
        }
      })
    },
  )
  await assertServerAgrees(context, payment, listCarried(payment, subject.moved))
  const key = keyOfAtomical(id)
  const moving = { asked: [key], unproven: [key], landings: [0] }
  const purpose = { purpose: 'transfer' as const, previous: null, moving }
  const plan = await describePlan(context, payment, purpose, { ...subject, at })
  const spent = new Set(payment.inputs.map(formatOutpoint))
  assertMoved(plan, subject.moved.filter(({ outpoint }) => spent.has(outpoint)).length)
  return plan
}

/** Whether the token is all that is on its coin. The index may have found more since the coin was chosen. */
function isAlone({ assets }: MovableCoin): boolean {
  return assets.length === 1
}

function explainUnits(cause: unknown, order: TokenTransferOrder): unknown {
  if (cause instanceof InsufficientUnitsError) {
    const { available } = cause
    return refuseAmount(order, `at most ${available} units`, [available], cause)
  }
  if (cause instanceof UnsendableUnitsError) {
    const nearest = [cause.below, cause.above].flatMap(units => units ?? [])
    const expected = `an amount that leaves nothing or enough for an output: ${nearest.join(' or ') || 'none can be sent'}`
    return refuseAmount(order, expected, nearest, cause)
  }
  return cause
}

function refuseAmount(
  { fields, amount }: TokenTransferOrder,
  expected: string,
  nearest: readonly bigint[],
  cause?: Error,
): ProviderError {
  const data = { nearest: nearest.map(String) }
  return Object.assign(invalidParams(fields.amount, String(amount), expected, data), { cause })
}

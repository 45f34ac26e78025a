import { buildLedPayment, changeScriptOf } from '../../bitcoin/payments/payment.ts'
import type { PayingContext } from '../accounts/payment-context.ts'
import { buildOrThrowInsufficient } from '../coins/coin-shortage.ts'
import { takeMergeable } from '../coins/mergeable-coins.ts'
import {
  buildWithCheckedInputs,
  describePlan,
  loadCoinsAndFeeRate,
  type Plan,
  type PlanningParts,
} from './payment-plan.ts'

export type MergeOrder = {
  /** Outpoints of clean coins. */
  coins: readonly string[]
  /** sat/vB. */
  feeRate: number
}

/**
 * Works out a transaction that makes one coin of many clean ones, of as many as fit into it, the smallest first; nothing is
 * signed. It goes to where change goes. Throws -32602 that names the field, COINS_HELD, INSUFFICIENT_FUNDS, BackendUnavailableError.
 */
export async function planMerge(
  context: PayingContext<PlanningParts>,
  order: MergeOrder,
): Promise<Plan> {
  const at = context.wallet.now()
  const load = () => loadCoinsAndFeeRate(context, order.feeRate)
  const { subject, payment } = await buildWithCheckedInputs(
    context,
    load,
    ({ coins, feeRate, own }) => {
      const { addressType: type } = own
      const merged = takeMergeable(coins, order.coins, {
        type,
        script: changeScriptOf(own),
        feeRate,
      })
      return buildOrThrowInsufficient(coins, () =>
        buildLedPayment({
          leading: { inputs: [], outputs: [] },
          required: merged,
          // Nothing else is spent, also where an earlier payment asks for a coin of its own: this one pays nobody.
          utxos: [],
          own,
          feeRate,
          seed: '',
        }),
      )
    },
  )
  return describePlan(context, payment, { purpose: 'merge', previous: null }, { ...subject, at })
}

import { dustLimit } from '../../bitcoin/dust.ts'
import { assetScriptOf } from '../../bitcoin/payments/payment.ts'
import { UncutAtomicalError } from '../../ordinals/transfers/coin-cut.ts'
import { buildSplit, NothingToSplitError } from '../../ordinals/transfers/split-output.ts'
import { invalidParams } from '../../provider/errors.ts'
import { type PaymentContext, payerOf } from '../accounts/payment-context.ts'
import { locateCoin, renewCoins } from '../coins/asset-coins.ts'
import { buildOrThrowInsufficient } from '../coins/coin-shortage.ts'
import { ofAsker } from '../coins/coins.ts'
import {
  buildWithCheckedInputs,
  describePlan,
  loadCoinsAndFeeRate,
  type Plan,
  type PlanningParts,
} from './payment-plan.ts'
import { assertMoved, withoutAssets } from './transfer-plan.ts'

export type SplitOrder = {
  outpoint: string
  /** Sats that each output with an inscription gets at least. */
  postage: bigint
  /** sat/vB. */
  feeRate: number
  seed: string
}

/**
 * Works out a transaction that gives the inscriptions of a coin outputs of their own, and returns the rest; nothing is
 * signed. Throws -32602 that names the field, PROTECTED_ASSET, COINS_HELD, INSUFFICIENT_FUNDS, BackendUnavailableError.
 */
export async function planSplit(
  context: PaymentContext<PlanningParts>,
  order: SplitOrder,
): Promise<Plan> {
  const { wallet } = context
  const { outpoint, postage, seed } = order
  const limit = dustLimit(assetScriptOf(payerOf(context.account)))
  if (postage < limit) throw invalidParams('postage', Number(postage), `at least ${limit} sats`)
  const at = wallet.now()
  const load = async () => {
    const terms = await loadCoinsAndFeeRate(context, order.feeRate)
    const coin = await locateCoin(context, ofAsker(terms.coins, context), outpoint)
    return { ...terms, coins: renewCoins(terms.coins, [coin]), coin }
  }
  const { subject, payment } = await buildWithCheckedInputs(
    context,
    load,
    ({ coins, feeRate, own, coin }) => {
      const paying = withoutAssets(coins, [coin])
      return buildOrThrowInsufficient(paying, utxos => {
        try {
          const required = paying.withRequired([])
          return buildSplit({ coin, postage, utxos, required, own, feeRate, seed })
        } catch (cause) {
          const isWhole =
            cause instanceof NothingToSplitError || cause instanceof UncutAtomicalError
          if (!isWhole) throw cause
          const expected =
            'a coin without Atomicals, with inscriptions that have room to be parted or sats to spare'
          throw Object.assign(invalidParams('outpoint', outpoint, expected), { cause })
        }
      })
    },
  )
  const purpose = { purpose: 'split' as const, previous: null }
  const plan = await describePlan(context, payment, purpose, { ...subject, at })
  assertMoved(plan, 0)
  return plan
}

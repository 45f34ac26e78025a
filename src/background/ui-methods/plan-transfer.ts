import { readIds } from '../../provider/inscription-params.ts'
import { readFeeRate, readString } from '../../provider/params.ts'
import { payFromSelected } from '../accounts/payment-context.ts'
import { readLabel } from '../activity/labels.ts'
import { keepPlan } from '../payments/plan-confirmation.ts'
import { planTransfer as plan, proveTransfer } from '../payments/transfer-plan.ts'
import type { UiMethod } from './ui-context.ts'

export const planTransfer: UiMethod<'planTransfer'> = async ({ wallet, random }, draft) => {
  const ids = readIds('ids', draft.ids)
  const to = readString('to', draft.to, 100)
  const order = {
    moves: ids.map(id => ({ id, to, field: 'to' })),
    feeRate: readFeeRate('feeRate', draft.feeRate),
    seed: JSON.stringify(ids),
    field: 'ids',
  }
  const label = readLabel(draft.label)
  const context = await payFromSelected(wallet)
  const proven = await proveTransfer(context, order)
  return keepPlan(context, random, await plan(context, order, proven), label)
}

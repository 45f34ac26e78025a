import { parseIds } from '../../provider/inscription-params.ts'
import { parseFeeRateParam, parseString } from '../../provider/params.ts'
import { payFromSelected } from '../accounts/payment-context.ts'
import { parseLabel } from '../activity/labels.ts'
import { keepPlan } from '../payments/plans.ts'
import { planTransfer as plan, proveTransfer } from '../payments/transfer-plan.ts'
import type { UiMethod } from './ui-context.ts'

export const planTransfer: UiMethod<'planTransfer'> = async ({ wallet, random }, draft) => {
  const ids = parseIds('ids', draft.ids)
  const to = parseString('to', draft.to, 100)
  const order = {
    moves: ids.map(id => ({ id, to, field: 'to' })),
    feeRate: parseFeeRateParam('feeRate', draft.feeRate),
    seed: JSON.stringify(ids),
    field: 'ids',
  }
  const label = parseLabel(draft.label)
  const context = await payFromSelected(wallet)
  const proven = await proveTransfer(context, order)
  return keepPlan(context, random, await plan(context, order, proven), label)
}

import { readIds } from '../../provider/inscription-params.ts'
import { readFeeRate, readString } from '../../provider/params.ts'
import { readLabel } from '../labels.ts'
import { payFromSelected } from '../payment-context.ts'
import { keepPlan } from '../plan-confirmation.ts'
import { planTransfer as plan, proveTransfer } from '../transfer-plan.ts'
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

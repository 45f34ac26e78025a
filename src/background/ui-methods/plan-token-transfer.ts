import { invalidParams } from '../../provider/errors.ts'
import { parseFeeRateParam, parseString } from '../../provider/params.ts'
import { payFromSelected } from '../accounts/payment-context.ts'
import { parseLabel } from '../activity/labels.ts'
import { keepPlan } from '../payments/plans.ts'
import { planTokenTransfer as plan } from '../payments/token-transfer-plan.ts'
import { parseAtomicalIdParam } from './get-atomical.ts'
import type { UiMethod } from './ui-context.ts'

export const planTokenTransfer: UiMethod<'planTokenTransfer'> = async (
  { wallet, random },
  draft,
) => {
  const id = parseAtomicalIdParam(draft.id)
  const order = {
    id,
    amount: readUnits('amount', draft.amount),
    to: parseString('to', draft.to, 100),
    feeRate: parseFeeRateParam('feeRate', draft.feeRate),
    seed: id,
    fields: { amount: 'amount', to: 'to' },
  }
  const label = parseLabel(draft.label)
  const context = await payFromSelected(wallet)
  return keepPlan(context, random, await plan(context, order), label)
}

/** Units of a token, whole and above 0. Throws -32602. */
function readUnits(field: string, value: unknown): bigint {
  if (typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value)) return BigInt(value)
  throw invalidParams(field, value, 'units of the token as a decimal text, above 0')
}

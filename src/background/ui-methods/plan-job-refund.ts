import { invalidParams } from '../../provider/errors.ts'
import { readFeeRate, readString } from '../../provider/params.ts'
import { keepInscribePlan } from '../inscribe-plans.ts'
import { planJobRefund as plan } from '../job-changes.ts'
import { payFromSelected } from '../payment-context.ts'
import type { UiMethod } from './ui-context.ts'

export const planJobRefund: UiMethod<'planJobRefund'> = async (
  { wallet, random },
  { jobId, feeRate },
) => {
  const rate = readFeeRate('feeRate', feeRate)
  if (rate === null) throw invalidParams('feeRate', feeRate, 'sat/vB')
  const context = await payFromSelected(wallet)
  const change = await plan(context, readString('jobId', jobId, 64), rate)
  return keepInscribePlan(context, random, change, '')
}

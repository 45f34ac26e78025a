import { invalidParams } from '../../provider/errors.ts'
import { parseFeeRateParam, parseString } from '../../provider/params.ts'
import { type PaymentContext, payFromSelected } from '../accounts/payment-context.ts'
import { keepInscribePlan } from '../inscribing/inscribe-plans.ts'
import type { JobChange, JobChangeParts } from '../inscribing/job-change.ts'
import type { InscribePlanView } from '../views/inscribe-views.ts'
import type { UiContext } from './ui-context.ts'

/** Works out a change of a job at a fee rate (sat/vB), and keeps it for its confirmation. Throws -32602, and what `plan` does. */
export async function planJobChange(
  { wallet, random }: UiContext,
  { jobId, feeRate }: { jobId: string; feeRate: number },
  plan: (
    context: PaymentContext<JobChangeParts>,
    jobId: string,
    feeRate: number,
  ) => Promise<JobChange>,
): Promise<InscribePlanView> {
  const rate = parseFeeRateParam('feeRate', feeRate)
  if (rate === null) throw invalidParams('feeRate', feeRate, 'sat/vB')
  const context = await payFromSelected(wallet)
  const change = await plan(context, parseString('jobId', jobId, 64), rate)
  return keepInscribePlan(context, random, change, '')
}

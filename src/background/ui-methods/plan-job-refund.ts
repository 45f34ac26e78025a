import { planJobRefund as plan } from '../inscribing/job-refund.ts'
import { planJobChange } from './plan-job-change.ts'
import type { UiMethod } from './ui-context.ts'

export const planJobRefund: UiMethod<'planJobRefund'> = (context, params) =>
  planJobChange(context, params, plan)

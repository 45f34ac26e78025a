import { planJobBump as plan } from '../inscribing/job-bump.ts'
import { planJobChange } from './plan-job-change.ts'
import type { UiMethod } from './ui-context.ts'

export const planJobBump: UiMethod<'planJobBump'> = (context, params) =>
  planJobChange(context, params, plan)

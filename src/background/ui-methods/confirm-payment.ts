import { parseString } from '../../provider/params.ts'
import { confirmPlan } from '../payments/plans.ts'
import type { UiMethod } from './ui-context.ts'

export const confirmPayment: UiMethod<'confirmPayment'> = ({ wallet }, { planId, digest }) =>
  confirmPlan(wallet, parseString('planId', planId, 64), parseString('digest', digest, 64))

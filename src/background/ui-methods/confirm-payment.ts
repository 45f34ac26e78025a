import { readString } from '../../provider/params.ts'
import { confirmPlan } from '../payments/plan-confirmation.ts'
import type { UiMethod } from './ui-context.ts'

export const confirmPayment: UiMethod<'confirmPayment'> = ({ wallet }, { planId, digest }) =>
  confirmPlan(wallet, readString('planId', planId, 64), readString('digest', digest, 64))

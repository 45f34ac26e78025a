import { invalidParams } from '../../provider/errors.ts'
import { parseFeeRateParam, parseIndex } from '../../provider/params.ts'
import { payFromSelected } from '../accounts/payment-context.ts'
import { keepPlan } from '../payments/plans.ts'
import { planSplit as plan } from '../payments/split-plan.ts'
import { parseOutpointParam } from './read-outpoint.ts'
import type { UiMethod } from './ui-context.ts'

const MAX_POSTAGE = 100_000_000

export const planSplit: UiMethod<'planSplit'> = async ({ wallet, random }, draft) => {
  const feeRate = parseFeeRateParam('feeRate', draft.feeRate)
  if (feeRate === null) throw invalidParams('feeRate', draft.feeRate, 'sat/vB')
  const outpoint = parseOutpointParam('outpoint', draft.outpoint)
  const postage = BigInt(parseIndex('postage', draft.postage, MAX_POSTAGE))
  const context = await payFromSelected(wallet)
  const order = { outpoint, postage, feeRate, seed: outpoint }
  return keepPlan(context, random, await plan(context, order), '')
}

import { invalidParams } from '../../provider/errors.ts'
import { parseFeeRateParam } from '../../provider/params.ts'
import { payFromSelected } from '../accounts/payment-context.ts'
import { planBump as plan } from '../payments/bumps.ts'
import { keepPlan } from '../payments/plans.ts'
import { parseTxid } from './read-txid.ts'
import type { UiMethod } from './ui-context.ts'

export const planBump: UiMethod<'planBump'> = async (
  { wallet, random },
  { txid, kind, feeRate },
) => {
  if (kind !== 'speed-up' && kind !== 'child' && kind !== 'cancel')
    throw invalidParams('kind', kind, 'speed-up, child or cancel')
  const rate = parseFeeRateParam('feeRate', feeRate)
  if (rate === null) throw invalidParams('feeRate', feeRate, 'sat/vB')
  const context = await payFromSelected(wallet)
  const planned = await plan(context, { txid: parseTxid(txid), kind, feeRate: rate })
  // A payment that is only sped up keeps the person's note.
  const label = kind === 'speed-up' ? await wallet.activity.labelOf(context.network, txid) : ''
  return keepPlan(context, random, planned, label)
}

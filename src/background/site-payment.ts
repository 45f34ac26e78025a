import type { SentRecord } from './activity.ts'
import type { RequestContext } from './method.ts'
import { sendOut } from './outgoing.ts'
import { type PaymentOrder, planPayment } from './payment-plan.ts'
import { signPlan } from './payment-signing.ts'

/** Pays what a site asks for and resolves the txid. Planned, shown, approved, signed, stored, and only then broadcast. */
export async function payForSite(
  context: RequestContext,
  order: Omit<PaymentOrder, 'coins' | 'seed'>,
): Promise<string> {
  const { wallet, key, origin } = context
  // One plan at a time: the next one sees the coins of this one as reserved.
  const plan = await wallet.planInTurn(() =>
    context.once('plan', () => planPayment(context, { ...order, coins: null, seed: key })),
  )
  await context.approve(plan.review)
  const signed = await context.once<SentRecord>('signed', () => signPlan(context, plan, origin))
  return sendOut(wallet, signed)
}

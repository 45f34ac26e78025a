import type { SentRecord } from '../activity/activity.ts'
import type { ProofParts } from '../collectibles/inscription-proofs.ts'
import {
  type PaymentOrder,
  type Plan,
  type PlanningParts,
  planPayment,
} from '../payments/payment-plan.ts'
import { type SigningParts, signPlan } from '../payments/payment-signing.ts'
import {
  identifyRunes,
  planRuneTransfer,
  type RuneTransferOrder,
} from '../payments/rune-transfer-plan.ts'
import type { SilentPaymentParts } from '../payments/silent-payments.ts'
import { planTransfer, proveTransfer, type TransferOrder } from '../payments/transfer-plan.ts'
import type { Mutex } from '../primitives/mutex.ts'
import { approveBeforeSigning, askForDevice, type RequestContext } from '../requests/method.ts'
import { broadcastTransaction, type SendingParts } from '../sending/outgoing.ts'

/** The parts of the wallet that pay for a site. */
export type SitePaymentParts = PlanningParts &
  SilentPaymentParts &
  SigningParts &
  SendingParts & { planInTurn: Mutex }

/** Pays what a site asks for and resolves the txid. */
export function payForSite(
  context: RequestContext<SitePaymentParts>,
  order: Omit<PaymentOrder, 'coins' | 'seed'>,
): Promise<string> {
  return settleForSite(context, () =>
    planPayment(context, { ...order, coins: null, seed: context.key }),
  )
}

/** Moves the inscriptions that a site asks for and resolves the txid. */
export async function transferForSite(
  context: RequestContext<SitePaymentParts & ProofParts>,
  order: Omit<TransferOrder, 'seed'>,
): Promise<string> {
  // Nobody else's payment waits for this: it may take long.
  const proven = await context.once('proven', () => proveTransfer(context, order))
  return settleForSite(context, () =>
    planTransfer(context, { ...order, seed: context.key }, proven),
  )
}

/** Sends the runes that a site asks for and resolves the txid. */
export async function sendRunesForSite(
  context: RequestContext<SitePaymentParts>,
  order: Omit<RuneTransferOrder, 'seed'>,
): Promise<string> {
  const runes = await context.once('proven', () => identifyRunes(context, order.orders))
  return settleForSite(context, () =>
    planRuneTransfer(context, { ...order, seed: context.key }, runes),
  )
}

async function settleForSite(
  context: RequestContext<SitePaymentParts>,
  plan: () => Promise<Plan>,
): Promise<string> {
  return broadcastTransaction(context.wallet, await signPaymentForSite(context, plan))
}

/** Planned, shown, approved, signed and stored, so that it can be broadcast. */
export async function signPaymentForSite(
  context: RequestContext<SitePaymentParts>,
  plan: () => Promise<Plan>,
): Promise<SentRecord> {
  const { wallet, origin } = context
  // One plan at a time: the next one sees the coins of this one as reserved.
  const planned = await wallet.planInTurn(() => context.once('plan', plan))
  await approveBeforeSigning(context, planned.review)
  const device = askForDevice(context)
  return context.once<SentRecord>('signed', () => signPlan(context, planned, origin, device))
}

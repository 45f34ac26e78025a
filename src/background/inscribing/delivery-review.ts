import { toHex } from '../../bitcoin/bytes.ts'
import type { Delivery } from '../../ordinals/inscriptions/delivery.ts'
import type { PaymentContext } from '../accounts/payment-context.ts'
import {
  type KnownAddressParts,
  loadKnownAddresses,
  warnOfRecipients,
} from '../review/payment-warnings.ts'
import type { SigningAccountView } from '../views/account-views.ts'
import type { DeliveryReview, DeliveryTerms } from '../views/delivery-views.ts'
import type { Warning } from '../views/payment-views.ts'

/** A delivery as it is shown, and what is to be warned of about its receiver; neither where the inscriptions stay. */
export type ReviewedDelivery = { delivery: DeliveryReview | null; warnings: Warning[] }

export const NO_DELIVERY: ReviewedDelivery = { delivery: null, warnings: [] }

/** What a person is shown of the transaction that sends a transfer inscription on. */
export async function reviewDelivery(
  context: PaymentContext<KnownAddressParts>,
  built: Delivery | null,
  terms: DeliveryTerms | null,
): Promise<ReviewedDelivery> {
  if (built === null || terms === null) return NO_DELIVERY
  const { to, tick, amount } = terms
  const known = await loadKnownAddresses(context, [to])
  const paidBefore = known.strangers.get(to)
  return {
    delivery: {
      ...{ to, tick, amount },
      script: toHex(built.scriptPubKey),
      name: known.names.get(to) ?? null,
      ...(paidBefore && { paidBefore }),
      fee: String(built.fee),
      vsize: built.vsize,
    },
    warnings: [
      ...warnOfRecipients([to], known),
      ...(isOwnAddress(context.account, to) ? [{ kind: 'own-address' } as const] : []),
    ],
  }
}

function isOwnAddress({ address, ordinals }: SigningAccountView, to: string): boolean {
  return to === address || to === ordinals?.address
}

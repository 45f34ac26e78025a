import { invalidParams } from '../../provider/errors.ts'
import type { PayingContext } from '../accounts/payment-context.ts'
import type { NamedAddress, PaymentNames } from '../names/payment-names.ts'
import type { PaymentOrder, Plan } from './payment-plan.ts'
import { planOutdated } from './plan-checks.ts'

/** Each is looked up by several questions to the DNS server. */
const MOST_NAMES = 20

export type NameParts = { paymentNames: Pick<PaymentNames, 'resolve'> }

/** The order with addresses in the place of names (BIP-353). Throws as `resolve` does, and -32602 for too many. */
export async function resolveRecipients(
  { wallet, network }: PayingContext<NameParts>,
  order: PaymentOrder,
): Promise<{ order: PaymentOrder; names: NamedAddress[] }> {
  const texts = new Set(order.recipients.map(({ to }) => to).filter(isName))
  if (texts.size > MOST_NAMES)
    throw invalidParams('recipients', texts.size, `at most ${MOST_NAMES} names`)
  const found = new Map<string, NamedAddress>()
  for (const text of texts) found.set(text, await wallet.paymentNames.resolve(network, text))
  const recipients = order.recipients.map(recipient => ({
    ...recipient,
    to: found.get(recipient.to)?.address ?? recipient.to,
  }))
  return { order: { ...order, recipients }, names: [...found.values()] }
}

/** The plan with the names in its review. */
export function showNames(plan: Plan, names: readonly NamedAddress[]): Plan {
  if (names.length === 0) return plan
  const recipients = plan.review.recipients.map(recipient => {
    const named = names.find(({ address }) => address === recipient.address)
    return named ? { ...recipient, paymentName: named.name } : recipient
  })
  return { ...plan, review: { ...plan.review, recipients }, names: [...names] }
}

/** Looks names up again whose answer has run out since. Throws PLAN_OUTDATED where one leads elsewhere now, and as `resolve` does. */
export async function assertNamesCurrent(
  { wallet, network }: Pick<PayingContext<NameParts>, 'wallet' | 'network'>,
  { names = [] }: Pick<Plan, 'names'>,
): Promise<void> {
  for (const { name, address } of names) {
    const found = await wallet.paymentNames.resolve(network, name)
    if (found.address !== address) throw planOutdated(`₿${name} leads to another address now.`)
  }
}

function isName(to: string): boolean {
  return to.includes('@')
}

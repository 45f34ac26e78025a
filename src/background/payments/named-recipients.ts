import { invalidParams } from '../../provider/errors.ts'
import type { Contacts } from '../accounts/contacts.ts'
import type { PayingContext } from '../accounts/payment-context.ts'
import type { Activity } from '../activity/activity.ts'
import type { NamedAddress, PaymentNames } from '../names/payment-names.ts'
import type { Warning } from '../views/payment-views.ts'
import type { PaymentOrder, Plan } from './payment-plan.ts'
import { planOutdated } from './plan-checks.ts'

/** Each is looked up by several questions to the DNS server. */
const MOST_NAMES = 20

export type NameParts = {
  paymentNames: Pick<PaymentNames, 'resolve'>
  contacts: Pick<Contacts, 'list'>
  activity: Pick<Activity, 'listSent'>
}

/** `contact` is whose name it is in the address book; `before` what it led to when the account paid it last. Null for neither. */
type NamedRecipient = NamedAddress & { contact: string | null; before: string | null }

/** The order with addresses in the place of names (BIP-353). Throws as `resolve` does, and -32602 for too many. */
export async function resolveRecipients(
  { wallet, network, account }: PayingContext<NameParts>,
  order: PaymentOrder,
): Promise<{ order: PaymentOrder; names: NamedRecipient[] }> {
  const texts = new Set(order.recipients.map(({ to }) => to).filter(isName))
  if (texts.size === 0) return { order, names: [] }
  if (texts.size > MOST_NAMES)
    throw invalidParams('recipients', texts.size, `at most ${MOST_NAMES} names`)
  const contacts = await wallet.contacts.list()
  const sent = await wallet.activity.listSent(network, account.id)
  const found = new Map<string, NamedRecipient>()
  for (const text of texts) {
    const named = await wallet.paymentNames.resolve(network, text)
    const contact = contacts.find(({ address }) => address === named.name)?.name ?? null
    const last = sent.find(
      ({ status, paymentNames = {} }) =>
        status !== 'failed' && Object.hasOwn(paymentNames, named.name),
    )
    const before = last?.paymentNames?.[named.name] ?? null
    found.set(text, { ...named, contact, before })
  }
  const recipients = order.recipients.map(recipient => ({
    ...recipient,
    to: found.get(recipient.to)?.address ?? recipient.to,
  }))
  return { order: { ...order, recipients }, names: [...found.values()] }
}

/**
 * The plan with the names in its review. A contact that has the name is named for what it leads to now, and for nothing that it led
 * to before; that does not make the address a known one.
 */
export function showNames(plan: Plan, names: readonly NamedRecipient[]): Plan {
  if (names.length === 0) return plan
  const recipients = plan.review.recipients.map(recipient => {
    const named = names.find(({ address }) => address === recipient.address)
    if (!named) return recipient
    return { ...recipient, name: named.contact ?? recipient.name, paymentName: named.name }
  })
  const moved = names.flatMap(({ name, address, before }): Warning[] =>
    before === null || before === address
      ? []
      : [{ kind: 'name-moved', paymentName: name, before }],
  )
  const warnings = [...plan.review.warnings, ...moved]
  return {
    ...plan,
    review: { ...plan.review, recipients, warnings },
    names: names.map(({ name, address, validUntil }) => ({ name, address, validUntil })),
  }
}

/** What names lead to, by name. */
export function toAddresses(names: readonly NamedAddress[]): { [name: string]: string } {
  return Object.fromEntries(names.map(({ name, address }) => [name, address]))
}

/** Looks names up again whose answer has run out since. Throws PLAN_OUTDATED where one leads elsewhere now, and as `resolve` does. */
export async function assertNamesCurrent(
  { wallet, network }: Pick<PayingContext<Pick<NameParts, 'paymentNames'>>, 'wallet' | 'network'>,
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

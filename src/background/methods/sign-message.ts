import { assertHasSimple, MessageTypeError } from '../../bitcoin/messages/message.ts'
import { ProviderError } from '../../provider/errors.ts'
import type { MessageOrder } from '../../provider/message-params.ts'
import type { Signer } from '../keys/signer.ts'
import { assertKeyHere } from '../keys/signing-device.ts'
import { askAlways, assertConnected, type Method, type RequestContext } from '../requests/method.ts'
import type { Review } from '../views/approval-views.ts'

export type MessageParts = { signer: Pick<Signer, 'signMessages'> }

/** A text as a site hands it over; `fields` are the names of its parameters. */
type NamedOrder = MessageOrder & { fields: { type: string; from: string } }

/** Signs a text with the connected account; `from`, where given, must be its address. */
export const signMessage: Method<'signMessage', MessageParts> = {
  access: 'connected',
  answer: askAlways,
  ask: async (context, order) => {
    const fields = { type: 'type', from: 'from' }
    const [signature = ''] = await signMessagesForSite(context, [{ ...order, fields }])
    return signature
  },
}

/** Asks about all texts at once and signs them in their order. What cannot be signed is refused before anybody is asked. */
export async function signMessagesForSite(
  context: RequestContext<MessageParts>,
  orders: readonly NamedOrder[],
): Promise<string[]> {
  const { wallet, account, network } = context
  assertKeyHere(account, 'signing messages')
  for (const { type, from, fields } of orders) {
    if (from !== null) assertConnected(context, from, fields.from)
    if (type === 'bip322-simple') assertSimple(context, fields.type)
  }
  const messages = orders.map(({ message, type }) => ({ message, type }))
  await context.approve(describe(messages))
  return wallet.signer.signMessages({ accountId: account.id, network, messages })
}

/** A list of one is asked about like the one that it is. */
function describe(messages: Pick<MessageOrder, 'message' | 'type'>[]): Review {
  const [first, ...more] = messages
  if (first && more.length === 0) return { kind: 'sign-message', ...first }
  return { kind: 'sign-messages', messages }
}

function assertSimple({ account }: RequestContext, field: string): void {
  try {
    assertHasSimple(account.addressType)
  } catch (cause) {
    if (!(cause instanceof MessageTypeError)) throw cause
    throw new ProviderError(-32602, `${field}: ${cause.message}`, { cause })
  }
}

import type { AddressType } from '../../bitcoin/address.ts'
import type { DescriptorPlace } from '../../bitcoin/descriptors/descriptor-output.ts'
import {
  assertHasSimple,
  type MessageType,
  MessageTypeError,
  verifyMessage,
} from '../../bitcoin/messages/message.ts'
import {
  assertInPsbt,
  createMessagePsbt,
  formatSimple,
} from '../../bitcoin/messages/psbt-message.ts'
import { finalizePsbt } from '../../bitcoin/psbt/finalize.ts'
import { planSigning } from '../../bitcoin/psbt/plan.ts'
import { readPrevouts } from '../../bitcoin/psbt/prevouts.ts'
import { ReturnedPsbtError, takeSignatures } from '../../bitcoin/psbt/returned.ts'
import { failure, ProviderError } from '../../provider/errors.ts'
import type { MessageOrder } from '../../provider/message-params.ts'
import { listFixedAddresses } from '../accounts/fixed-addresses.ts'
import type { Signer } from '../keys/signer.ts'
import { describeTasks, originatedKeysOf, refuseReturned } from '../keys/signing-device.ts'
import { ORDINALS_PLACE } from '../keys/vault-secret.ts'
import {
  approveBeforeSigning,
  askAlways,
  askForDevice,
  assertConnected,
  type Method,
  type RequestContext,
} from '../requests/method.ts'
import type { DeviceAccountView, SigningAccountView } from '../views/account-views.ts'
import type { Review, SignMessagesReview } from '../views/approval-views.ts'

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
  for (const { type, from, fields } of orders) {
    if (from !== null) assertConnected(context, from, fields.from)
    if (type === 'bip322-simple') assertSimple(signerOf(account, from), fields.type)
  }
  const messages = orders.map(({ message, type, from }) => {
    const { place } = signerOf(account, from)
    return { message, type, ...(place && from !== null && { place, from }) }
  })
  if (account.source === 'device') {
    assertDeviceSigns(account, messages)
    await approveBeforeSigning(context, describe(messages))
    return signMessagesOnDevice(context, account, messages)
  }
  await context.approve(describe(messages))
  return wallet.signer.signMessages({ accountId: account.id, network, messages })
}

/** A list of one is asked about like the one that it is. */
function describe(
  messages: (SignMessagesReview['messages'][number] & { place?: unknown })[],
): Review {
  const shown = messages.map(({ place: _, ...message }) => message)
  const [first, ...more] = shown
  if (first && more.length === 0) return { kind: 'sign-message', ...first }
  return {
    kind: 'sign-messages',
    messages: shown,
  }
}

/** A text for a device; `from` is the address for ordinals where that signs it. */
type DeviceOrder = { message: string; type: MessageType; from?: string }

/** Which of the account's addresses signs what names it, and the place of that where it is not the first. */
function signerOf(
  { addressType, ordinals }: SigningAccountView,
  from: string | null,
): { addressType: AddressType; place?: DescriptorPlace } {
  if (ordinals && from === ordinals.address) return { addressType: 'p2tr', place: ORDINALS_PLACE }
  return { addressType }
}

function assertSimple({ addressType }: { addressType: AddressType }, field: string): void {
  try {
    assertHasSimple(addressType)
  } catch (cause) {
    if (!(cause instanceof MessageTypeError)) throw cause
    throw new ProviderError(-32602, `${field}: ${cause.message}`, { cause })
  }
}

/** Throws DEVICE_CANNOT for a signature that no PSBT can ask of a device, with the one that works. */
function assertDeviceSigns(account: DeviceAccountView, orders: readonly DeviceOrder[]): void {
  try {
    for (const { type, from = null } of orders) assertInPsbt(type, signerOf(account, from))
  } catch (cause) {
    if (!(cause instanceof MessageTypeError)) throw cause
    throw failure(
      'DEVICE_CANNOT',
      `The key of this account is on a device, which signs PSBTs: ${cause.message}. What works: BIP-322 (bip322 or bip322-simple) with an account of Native SegWit or Taproot, or an account whose key is in the wallet.`,
      { cause },
    )
  }
}

/**
 * Has texts signed by the device, all in one round, each as the PSBT of BIP-322's to_sign. Each signature is verified as a message's
 * before any is given out. Throws -32602 where other things come back.
 */
async function signMessagesOnDevice(
  context: RequestContext,
  account: DeviceAccountView,
  orders: readonly DeviceOrder[],
): Promise<string[]> {
  const { network } = context
  const own = listFixedAddresses(account, network)
  const keys = originatedKeysOf(own)
  const items = orders.map(({ message, from = account.address }) => {
    const key = keys[own.findIndex(({ address }) => address === from)]
    if (!key) throw new Error(`message: no key is known for ${from}`)
    const { psbt, toSpend } = createMessagePsbt(message, key)
    const previous = new Map([[toSpend.txid, toSpend.raw]])
    const prevouts = readPrevouts(psbt, previous)
    const plan = planSigning({ psbt, prevouts, key, inputs: null, expert: false })
    return { psbt, prevouts, plan, previous, key, address: from }
  })
  const review = describeTasks(account, network, items, keys)
  const tasks = review.tasks.map((task, at) => ({
    ...task,
    pays: [],
    message: orders[at]?.message ?? '',
  }))
  const returned = await askForDevice(context).sign({ ...review, tasks })
  return items.map(({ psbt: sent, prevouts, plan, key, address }, at) => {
    const { message, type } = orders[at] ?? { message: '', type: 'ecdsa' }
    if (type === 'ecdsa') throw new Error('message: no PSBT gives its signature')
    try {
      const bytes = returned[at] ?? new Uint8Array()
      const signed = takeSignatures({ sent, returned: bytes, prevouts, plan, keyOf: () => key })
      const [input] = finalizePsbt(signed, prevouts, [0]).inputs
      const signature = formatSimple(type, input?.finalScriptWitness ?? [])
      if (verifyMessage({ message, signature, address, network }).state !== 'valid')
        throw new Error('message: what the device signed does not prove it')
      return signature
    } catch (cause) {
      if (!(cause instanceof ReturnedPsbtError)) throw cause
      throw refuseReturned(cause, at)
    }
  })
}

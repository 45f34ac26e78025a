import { fromHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import {
  assertSignable,
  layOut,
  type Payment,
  type SignedPayment,
} from '../../bitcoin/payments/payment.ts'
import { createPsbt } from '../../bitcoin/psbt/create.ts'
import { extractTransaction } from '../../bitcoin/psbt/extract.ts'
import { finalizePsbt } from '../../bitcoin/psbt/finalize.ts'
import { listSignable, planSigning } from '../../bitcoin/psbt/plan.ts'
import { type Prevout, readPrevouts } from '../../bitcoin/psbt/prevouts.ts'
import { type Psbt, parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { ReturnedPsbtError, takeSignatures } from '../../bitcoin/psbt/returned.ts'
import type { OriginatedKey } from '../../bitcoin/psbt/update.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import type { AccountAddress } from '../accounts/fixed-addresses.ts'
import {
  describeTasks,
  originatedKeyOf,
  refuseReturned,
  type SigningDevice,
} from '../keys/signing-device.ts'
import type { DeviceAccountView } from '../views/account-views.ts'
import type { SignOnDeviceReview } from '../views/device-views.ts'

/** The raw transactions that created the inputs, by txid. */
type Previous = ReadonlyMap<string, Uint8Array>

/** A payment that goes to a device; `own` are the account's addresses that it spends from or pays to. */
export type PaymentOnDevice = {
  account: DeviceAccountView
  network: Network
  payment: Payment
  own: readonly AccountAddress[]
  previous: Previous
}

/** What a device is handed for a payment. Throws as {@link assertSignable} does. */
export function describePaymentTask(handed: PaymentOnDevice): SignOnDeviceReview {
  const { account, network, payment, previous } = handed
  const keys = originatedKeysOf(account, handed.own)
  assertSignable(
    payment,
    handed.own.map(({ scriptPubKey }) => scriptPubKey),
    previous,
  )
  const psbt = createPsbt(layOut(payment))
  const prevouts = readPrevouts(psbt, previous)
  const { plan } = planWithKeys(psbt, prevouts, keys)
  return describeTasks(account, network, [{ psbt, prevouts, plan, previous }], keys)
}

/** The keys of addresses of a device's account, with where the device finds them. */
export function originatedKeysOf(
  account: DeviceAccountView,
  own: readonly AccountAddress[],
): OriginatedKey[] {
  const { addressType } = account
  return own.map(({ publicKey, origin }) =>
    publicKey && origin ? { publicKey, addressType, origin } : originatedKeyOf(account),
  )
}

/** Each input with the key that opens it. */
export function planWithKeys(
  psbt: Psbt,
  prevouts: readonly (Prevout | null)[],
  keys: readonly OriginatedKey[],
) {
  const keyOf = new Map<number, OriginatedKey>()
  const plan = keys.flatMap(key => {
    const inputs = listSignable(psbt, prevouts, key)
    for (const { index } of inputs) keyOf.set(index, key)
    if (inputs.length === 0) return []
    return planSigning({ psbt, prevouts, key, inputs, expert: false })
  })
  return { plan: plan.toSorted((a, b) => a.index - b.index), keyOf }
}

/**
 * Has a payment signed by the device, and checks that what comes back is that payment. Throws -32602 that says what differs, and a plain
 * error when it is larger than signatures can make it.
 */
export async function signPaymentOnDevice(
  device: SigningDevice,
  handed: PaymentOnDevice,
): Promise<SignedPayment> {
  const { payment, previous } = handed
  const review = describePaymentTask(handed)
  const [returned = new Uint8Array()] = await device.sign(review)
  const sent = parsePsbt(fromHex(review.tasks[0]?.psbt ?? ''))
  const prevouts = readPrevouts(sent, previous)
  const { account, own } = handed
  const [key = originatedKeyOf(account), ...others] = originatedKeysOf(account, own)
  const { plan, keyOf } = planWithKeys(sent, prevouts, [key, ...others])
  try {
    const taken = { sent, returned, prevouts, plan }
    const signed = takeSignatures({ ...taken, keyOf: index => keyOf.get(index) ?? key })
    const rawTx = extractTransaction(finalizePsbt(signed, prevouts, [...sent.inputs.keys()]))
    const { txid, vsize } = parseTransaction(rawTx)
    if (vsize > payment.vsize + payment.inputs.length)
      throw new Error(`payment: signed ${vsize} vB where ${payment.vsize} vB were reckoned`)
    return { rawTx, txid, vsize }
  } catch (cause) {
    if (!(cause instanceof ReturnedPsbtError)) throw cause
    throw refuseReturned(cause, 0)
  }
}

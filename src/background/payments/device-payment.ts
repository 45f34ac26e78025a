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
import { planSigning } from '../../bitcoin/psbt/plan.ts'
import { readPrevouts } from '../../bitcoin/psbt/prevouts.ts'
import { parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { ReturnedPsbtError, takeSignatures } from '../../bitcoin/psbt/returned.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
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

/** What a device is handed for a payment. Throws as {@link assertSignable} does. */
export function describePaymentTask(
  account: DeviceAccountView,
  network: Network,
  payment: Payment,
  previous: Previous,
): SignOnDeviceReview {
  assertSignable(payment, fromHex(account.publicKey), previous)
  const psbt = createPsbt(layOut(payment))
  const prevouts = readPrevouts(psbt, previous)
  const key = originatedKeyOf(account)
  const plan = planSigning({ psbt, prevouts, key, inputs: null, expert: false })
  return describeTasks(account, network, [{ psbt, prevouts, plan, previous }])
}

/**
 * Has a payment signed by the device, and checks that what comes back is that payment. Throws -32602 that says what differs, and a plain
 * error when it is larger than signatures can make it.
 */
export async function signPaymentOnDevice(
  device: SigningDevice,
  account: DeviceAccountView,
  network: Network,
  payment: Payment,
  previous: Previous,
): Promise<SignedPayment> {
  const review = describePaymentTask(account, network, payment, previous)
  const [returned = new Uint8Array()] = await device.sign(review)
  const sent = parsePsbt(fromHex(review.tasks[0]?.psbt ?? ''))
  const prevouts = readPrevouts(sent, previous)
  const key = originatedKeyOf(account)
  const plan = planSigning({ psbt: sent, prevouts, key, inputs: null, expert: false })
  try {
    const signed = takeSignatures({ sent, returned, prevouts, plan, key })
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

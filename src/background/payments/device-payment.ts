import { fromHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import {
  assertSignable,
  layOut,
  type Payment,
  type SignedPayment,
} from '../../bitcoin/payments/payment.ts'
import { assertNoSilentOutputs } from '../../bitcoin/payments/silent-outputs.ts'
import { createPsbt } from '../../bitcoin/psbt/create.ts'
import { extractTransaction } from '../../bitcoin/psbt/extract.ts'
import { finalizePsbt } from '../../bitcoin/psbt/finalize.ts'
import { type InputPlan, listSignable, planSigning } from '../../bitcoin/psbt/plan.ts'
import { type Prevout, readPrevouts } from '../../bitcoin/psbt/prevouts.ts'
import { type Psbt, parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { ReturnedPsbtError, takeSignatures } from '../../bitcoin/psbt/returned.ts'
import type { OriginatedKey } from '../../bitcoin/psbt/update.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import type { AccountAddress } from '../accounts/fixed-addresses.ts'
import {
  describeTasks,
  keysByInput,
  originatedKeysOf,
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
  assertNoSilentOutputs(payment)
  const keys = originatedKeysOf(handed.own)
  assertSignable(
    payment,
    handed.own.map(({ scriptPubKey }) => scriptPubKey),
    previous,
  )
  const psbt = createPsbt(layOut(payment))
  const prevouts = readPrevouts(psbt, previous)
  const plan = planWithKeys(psbt, prevouts, keys)
  return describeTasks(account, network, [{ psbt, prevouts, plan, previous }], keys)
}

/** How each input is signed by the key that opens it, in the order of the inputs. */
export function planWithKeys(
  psbt: Psbt,
  prevouts: readonly (Prevout | null)[],
  keys: readonly OriginatedKey[],
): InputPlan[] {
  const plan = keys.flatMap(key => {
    const inputs = listSignable(psbt, prevouts, key)
    if (inputs.length === 0) return []
    return planSigning({ psbt, prevouts, key, inputs, expert: false })
  })
  return plan.toSorted((a, b) => a.index - b.index)
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
  const keys = originatedKeysOf(handed.own)
  const plan = planWithKeys(sent, prevouts, keys)
  try {
    const keyOf = keysByInput(plan, prevouts, keys)
    const signed = takeSignatures({ sent, returned, prevouts, plan, keyOf })
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

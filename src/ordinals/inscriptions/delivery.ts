import { dustLimit } from '../../bitcoin/dust.ts'
import { feeForVsize } from '../../bitcoin/fee-rate.ts'
import { assetScriptOf, DustError, type Payer } from '../../bitcoin/payments/payment.ts'
import { inputSizeOf, weighMixedTransaction } from '../../bitcoin/transaction-size.ts'
import type { RevealTransaction } from './reveal.ts'

/**
 * Sends an inscription on that the account reveals to itself: it spends the reveal's output alone, which holds what arrives
 * and the fee. The inscription is on the first sat, so it lands with the receiver, and the fee comes off the end.
 */
export type Delivery = {
  /** Of the receiver. */
  scriptPubKey: Uint8Array
  /** Sats that arrive with the inscription. */
  amount: bigint
  fee: bigint
  vsize: number
}

/** Whom an inscription is delivered to, and with how many sats. */
export type DeliveryTarget = Pick<Delivery, 'scriptPubKey' | 'amount'>

/** From an account, at a fee rate in sat/vB. Throws DustError where the receiver's kind of address takes more. */
export function buildDelivery(
  { scriptPubKey, amount }: DeliveryTarget,
  own: Payer,
  feeRate: number,
): Delivery {
  const limit = dustLimit(scriptPubKey)
  if (amount < limit) throw new DustError(amount, limit)
  const weight = weighMixedTransaction([inputSizeOf(assetScriptOf(own))], [scriptPubKey])
  const vsize = Math.ceil(weight / 4)
  return { scriptPubKey, amount, fee: feeForVsize(vsize, feeRate), vsize }
}

/** Sats of the reveal's output that a delivery spends. */
export function heldForDelivery({ amount, fee }: Delivery): bigint {
  return amount + fee
}

/** What it spends and pays; `of` is the txid of the reveal, or its place among transactions that are signed together. */
export function layOutDelivery(
  delivery: Delivery,
  own: Payer,
  of: string | number,
): RevealTransaction {
  const { scriptPubKey, amount, fee, vsize } = delivery
  return {
    inputs: [
      {
        of,
        vout: 0,
        scriptPubKey: assetScriptOf(own),
        amount: heldForDelivery(delivery),
        unlocking: { kind: 'account' },
      },
    ],
    outputs: [{ scriptPubKey, amount }],
    fee,
    vsize,
  }
}

import type { AddressType } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import type { SpendType } from '../../bitcoin/multisig-type.ts'
import type { Payment } from '../../bitcoin/payments/payment.ts'
import type { PaymentOutput } from '../../bitcoin/payments/silent-outputs.ts'
import type { TransactionOutput } from '../../bitcoin/transaction.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'

/** An output as JSON: sats as a decimal string, the script as hex. */
export type StoredOutput = { script: string; sats: string }

export type StoredCoin = StoredOutput & { txid: string; vout: number; height: number | null }

/** With the silent payment address (BIP-352) that it was derived for. */
export type StoredPaymentOutput = StoredOutput & { silentPaymentAddress?: string }

/** A payment as JSON. */
export type StoredPayment<T extends SpendType = AddressType> = {
  inputs: StoredCoin[]
  outputs: StoredPaymentOutput[]
  addressType: T
  fee: string
  vsize: number
  feeRate: number
  changeIndex: number | null
  /** Absent in those of earlier versions, which moved no assets. */
  leading?: Payment['leading']
}

export function encodePayment<T extends SpendType>(payment: Payment<T>): StoredPayment<T> {
  return {
    ...payment,
    inputs: payment.inputs.map(encodeCoin),
    outputs: payment.outputs.map(encodePaymentOutput),
    fee: String(payment.fee),
  }
}

export function decodePayment<T extends SpendType>(stored: StoredPayment<T>): Payment<T> {
  return {
    ...stored,
    leading: stored.leading ?? { inputs: 0, outputs: 0 },
    inputs: stored.inputs.map(decodeCoin),
    outputs: stored.outputs.map(decodePaymentOutput),
    fee: BigInt(stored.fee),
  }
}

function encodePaymentOutput({ silentPaymentAddress, ...output }: PaymentOutput) {
  return { ...encodeOutput(output), ...(silentPaymentAddress && { silentPaymentAddress }) }
}

function decodePaymentOutput({ silentPaymentAddress, ...output }: StoredPaymentOutput) {
  return { ...decodeOutput(output), ...(silentPaymentAddress && { silentPaymentAddress }) }
}

export function encodeCoin({ txid, vout, height, ...output }: Utxo): StoredCoin {
  return { txid, vout, ...encodeOutput(output), height }
}

export function decodeCoin({ txid, vout, height, ...output }: StoredCoin): Utxo {
  return { txid, vout, ...decodeOutput(output), height }
}

export function encodeOutput({ scriptPubKey, amount }: TransactionOutput): StoredOutput {
  return { script: toHex(scriptPubKey), sats: String(amount) }
}

export function decodeOutput({ script, sats }: StoredOutput): TransactionOutput {
  return { scriptPubKey: fromHex(script), amount: BigInt(sats) }
}

import type { AddressType } from '../bitcoin/address.ts'
import { fromHex, toHex } from '../bitcoin/bytes.ts'
import type { Payment } from '../bitcoin/payment.ts'

/** A payment as JSON: sats as decimal strings, scripts as hex. */
export type StoredPayment = {
  inputs: { txid: string; vout: number; sats: string; script: string; height: number | null }[]
  outputs: { script: string; sats: string }[]
  addressType: AddressType
  fee: string
  vsize: number
  feeRate: number
  changeIndex: number | null
  /** Absent in those of earlier versions, which moved no assets. */
  leading?: Payment['leading']
}

export function encodePayment(payment: Payment): StoredPayment {
  return {
    ...payment,
    inputs: payment.inputs.map(({ txid, vout, amount, scriptPubKey, height }) => ({
      txid,
      vout,
      sats: String(amount),
      script: toHex(scriptPubKey),
      height,
    })),
    outputs: payment.outputs.map(({ scriptPubKey, amount }) => ({
      script: toHex(scriptPubKey),
      sats: String(amount),
    })),
    fee: String(payment.fee),
  }
}

export function decodePayment(stored: StoredPayment): Payment {
  return {
    ...stored,
    leading: stored.leading ?? { inputs: 0, outputs: 0 },
    inputs: stored.inputs.map(({ txid, vout, sats, script, height }) => ({
      txid,
      vout,
      amount: BigInt(sats),
      scriptPubKey: fromHex(script),
      height,
    })),
    outputs: stored.outputs.map(({ script, sats }) => ({
      scriptPubKey: fromHex(script),
      amount: BigInt(sats),
    })),
    fee: BigInt(stored.fee),
  }
}

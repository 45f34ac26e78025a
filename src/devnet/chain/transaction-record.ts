import { Transaction, type TxOutput } from 'bitcoinjs-lib'
import { fromHex, toDisplayHash, toHex } from './hex.ts'

/** A decoded transaction with what it spends. */
export interface TransactionRecord {
  txid: string
  wtxid: string
  tx: Transaction
  size: number
  weight: number
  vsize: number
  isCoinbase: boolean
  /** The outputs that the inputs spend, in input order; empty for a coinbase. */
  prevouts: TxOutput[]
  /** Sats; 0 for a coinbase. */
  fee: bigint
}

/** Decodes a raw transaction; null where bitcoind would answer "TX decode failed". */
export function decodeTransaction(hex: string): Transaction | null {
  const bytes = fromHex(hex)
  if (!bytes) return null
  try {
    const tx = Transaction.fromBuffer(bytes)
    return tx.ins.length > 0 ? tx : null
  } catch {
    return null
  }
}

/** Joins a transaction with the outputs it spends (an empty list for a coinbase). */
export function recordTransaction(tx: Transaction, prevouts: TxOutput[]): TransactionRecord {
  const isCoinbase = tx.isCoinbase()
  const weight = tx.weight()
  return {
    txid: tx.getId(),
    wtxid: toDisplayHash(tx.getHash(true)),
    tx,
    size: tx.byteLength(),
    weight,
    vsize: Math.ceil(weight / 4),
    isCoinbase,
    prevouts,
    fee: isCoinbase ? 0n : sumValues(prevouts) - sumValues(tx.outs),
  }
}

export function sumValues(outputs: readonly { value: bigint }[]): bigint {
  return outputs.reduce((sum, output) => sum + output.value, 0n)
}

/** `txid:vout` of what an input spends. */
export function spentOutpoint(input: { hash: Uint8Array; index: number }): string {
  return `${toDisplayHash(input.hash)}:${input.index}`
}

export function rawHex(record: TransactionRecord): string {
  return toHex(record.tx.toBuffer())
}

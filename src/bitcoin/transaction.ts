import { Transaction } from 'bitcoinjs-lib/src/transaction'
import { MAX_SATS } from './amount.ts'
import { equalBytes, toHex } from './bytes.ts'
import type { Outpoint } from './outpoint.ts'

export type TransactionOutput = { scriptPubKey: Uint8Array; amount: bigint }

/** A transaction as plain data; `vsize` in vB, `txid` and the inputs' outpoints in the usual (reversed) hex. */
export type ParsedTransaction = {
  txid: string
  vsize: number
  version: number
  locktime: number
  inputs: (Outpoint & { sequence: number })[]
  outputs: TransactionOutput[]
}

/** Bytes that are not exactly one transaction, or one that no node would take. */
export class InvalidTransactionError extends Error {
  override name = 'InvalidTransactionError'
}

/** Reads a raw transaction strictly: canonical encoding, no trailing bytes, amounts within 21 million BTC. Throws {@link InvalidTransactionError}. */
export function parseTransaction(raw: Uint8Array): ParsedTransaction {
  const transaction = decodeTransaction(raw)
  const outputs = transaction.outs.map(({ script, value }) => ({
    scriptPubKey: script,
    amount: value,
  }))
  if (transaction.ins.length === 0 || outputs.length === 0)
    throw new InvalidTransactionError('The transaction lacks inputs or outputs')
  const total = outputs.reduce((sum, { amount }) => sum + amount, 0n)
  if (total > MAX_SATS || outputs.some(({ amount }) => amount < 0n))
    throw new InvalidTransactionError('The transaction has an impossible amount')
  return {
    txid: transaction.getId(),
    vsize: transaction.virtualSize(),
    version: transaction.version,
    locktime: transaction.locktime,
    inputs: transaction.ins.map(({ hash, index, sequence }) => ({
      txid: toHex(hash.slice().reverse()),
      vout: index,
      sequence,
    })),
    outputs,
  }
}

/** The txid of a raw transaction; throws {@link InvalidTransactionError}. */
export function txidOf(raw: Uint8Array): string {
  return decodeTransaction(raw).getId()
}

/** Reads a raw transaction into the library's form; canonical encoding only. Throws {@link InvalidTransactionError}. */
export function decodeTransaction(raw: Uint8Array): Transaction {
  let transaction: Transaction
  let encoded: Uint8Array
  try {
    transaction = Transaction.fromBuffer(raw)
    encoded = transaction.toBuffer()
  } catch (cause) {
    throw new InvalidTransactionError('These bytes are not a transaction', { cause })
  }
  if (!equalBytes(encoded, raw))
    throw new InvalidTransactionError('The transaction is not encoded canonically')
  return transaction
}

// bitcoin: Bitcoin's data and cryptography as pure functions. The root holds bytes, amounts, addresses, keys,
// scripts and transactions; `signing/`, `payments/`, `psbt/` and `messages/` build on it. It promises exact sats
// (bigint), checked bytes and the specifications' own names. It never touches a network, a clock, randomness or
// storage, and knows nothing of inscriptions or other assets.

import { hash256 } from 'bitcoinjs-lib/src/crypto'
import { Transaction } from 'bitcoinjs-lib/src/transaction'
import { MAX_SATS } from './amount.ts'
import { equalBytes, toHex } from './bytes.ts'
import { formatOutpoint, type Outpoint } from './outpoint.ts'

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

const MAX_BLOCK_WEIGHT = 4_000_000
const WITNESS_SCALE_FACTOR = 4

/** The outpoint that a coinbase spends in place of one. */
const NULL_OUTPOINT: Outpoint = { txid: '00'.repeat(32), vout: 0xffffffff }

/**
 * Reads a raw transaction strictly: canonical encoding, no trailing bytes, and what nodes ask of every transaction whatever
 * it spends (Bitcoin Core's CheckTransaction). Throws {@link InvalidTransactionError}.
 */
export function parseTransaction(raw: Uint8Array): ParsedTransaction {
  const transaction = decodeTransaction(raw)
  const inputs = transaction.ins.map(({ hash, index, sequence }) => ({
    txid: toHex(hash.toReversed()),
    vout: index,
    sequence,
  }))
  const outputs = transaction.outs.map(({ script, value }) => ({
    scriptPubKey: script,
    amount: value,
  }))
  if (inputs.length === 0 || outputs.length === 0)
    throw new InvalidTransactionError('The transaction lacks inputs or outputs')
  if (transaction.byteLength(false) * WITNESS_SCALE_FACTOR > MAX_BLOCK_WEIGHT)
    throw new InvalidTransactionError('The transaction is larger than a block')
  const total = outputs.reduce((sum, { amount }) => sum + amount, 0n)
  if (total > MAX_SATS || outputs.some(({ amount }) => amount < 0n))
    throw new InvalidTransactionError('The transaction has an impossible amount')
  assertOutpoints(inputs, transaction.ins[0]?.script.length ?? 0)
  return {
    txid: idOf(transaction, raw),
    vsize: transaction.virtualSize(),
    version: transaction.version,
    locktime: transaction.locktime,
    inputs,
    outputs,
  }
}

/** Each once; and none that is null but that of a coinbase, which has no other, and 2 to 100 bytes as its scriptSig. */
function assertOutpoints(outpoints: readonly Outpoint[], firstScriptSig: number): void {
  const spent = outpoints.map(formatOutpoint)
  if (new Set(spent).size < spent.length)
    throw new InvalidTransactionError('The transaction spends an output twice')
  if (!spent.includes(formatOutpoint(NULL_OUTPOINT))) return
  if (spent.length > 1)
    throw new InvalidTransactionError('The transaction spends nothing with one of its inputs')
  if (firstScriptSig < 2 || firstScriptSig > 100)
    throw new InvalidTransactionError('The coinbase has a scriptSig of an impossible length')
}

/** The txid of a raw transaction; throws {@link InvalidTransactionError}. */
export function txidOf(raw: Uint8Array): string {
  return idOf(decodeTransaction(raw), raw)
}

/** Of bytes without witnesses, which {@link decodeTransaction} found to be the transaction's one form, the hash is the txid. */
function idOf(transaction: Transaction, raw: Uint8Array): string {
  return transaction.hasWitnesses() ? transaction.getId() : toHex(hash256(raw).reverse())
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

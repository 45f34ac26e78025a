import { p2pkh, p2sh, p2tr, p2wpkh, Transaction } from '@scure/btc-signer'
import { equalBytes } from '../bytes.ts'
import type { Payer } from '../payments/payment.ts'
import type { PaymentKey } from '../payments/silent-outputs.ts'
import { publicKeyOf } from '../secp256k1.ts'
import type { TransactionOutput } from '../transaction.ts'
import { fund } from './funding.ts'
import { PERMISSIVE, type Signed, verifyIndependently } from './signature-oracle.ts'
import { spendOf } from './spending.ts'

/** Kinds of addresses from which an account pays that holds inscriptions and the like on a taproot one. */
export const PAYING_TYPES = ['p2wpkh', 'p2sh-p2wpkh'] as const

/** An account that pays from one kind of address and holds inscriptions and the like on a taproot address of another key. */
export function createMixedAccount(addressType: (typeof PAYING_TYPES)[number]) {
  const privateKey = new Uint8Array(32).fill(0x21)
  const assetKey = new Uint8Array(32).fill(0x43)
  const publicKey = publicKeyOf(privateKey)
  const payScript = spendOf(addressType, publicKey).script
  const assetScript = spendOf('p2tr', publicKeyOf(assetKey)).script
  const own: Payer = { publicKey, addressType, assetScript }
  const keys: PaymentKey[] = [
    { privateKey, addressType },
    { privateKey: assetKey, addressType: 'p2tr' },
  ]
  return {
    ...{ own, keys, payScript, assetScript },
    /** Coins on the address that it pays from. */
    fundPay: (amounts: readonly bigint[], from = 0) => fund(privateKey, addressType, amounts, from),
    /** Coins on the address that holds the rest. */
    fundAssets: (amounts: readonly bigint[], from = 5_000) => fund(assetKey, 'p2tr', amounts, from),
  }
}

/** What an independent library reads of a signed transaction; `spent` are the outputs that it spends. */
export type JudgedTransaction = {
  txid: string
  vsize: number
  weight: number
  fee: bigint
  spent: TransactionOutput[]
  outputs: TransactionOutput[]
}

/** Holds each signature against what it signs, with independent libraries; throws where one is wrong. `raws` have what is spent. */
export function judgeSigned(rawTx: Uint8Array, raws: Iterable<Uint8Array>): JudgedTransaction {
  const made = new Map<string, Transaction>()
  for (const raw of raws) {
    const transaction = Transaction.fromRaw(raw, PERMISSIVE)
    made.set(transaction.id, transaction)
  }
  const transaction = Transaction.fromRaw(rawTx, PERMISSIVE)
  const inputs = Array.from({ length: transaction.inputsLength }, (_, i) => transaction.getInput(i))
  const spent = inputs.map(({ txid = new Uint8Array(), index = -1 }) =>
    outputAt(made.get(Buffer.from(txid).toString('hex')), index),
  )
  for (const [i, { finalScriptWitness: witness = [], finalScriptSig }] of inputs.entries()) {
    const script = spent[i]?.scriptPubKey ?? new Uint8Array()
    const { signed, opens, scriptSig } = readUnlocking(script, witness)
    const type = signed.scheme === 'taproot' ? 0 : 1
    const [signature = new Uint8Array()] = witness
    const isRight =
      equalBytes(opens, script) &&
      equalBytes(finalScriptSig ?? new Uint8Array(), scriptSig) &&
      verifyIndependently(transaction, spent, i, signed, type, signature)
    if (!isRight) throw new Error(`input ${i} of ${transaction.id} is not signed as it should be`)
  }
  const outputs = Array.from({ length: transaction.outputsLength }, (_, i) =>
    outputAt(transaction, i),
  )
  const { id, vsize, weight } = transaction
  return { txid: id, vsize, weight, fee: sumOf(spent) - sumOf(outputs), spent, outputs }
}

/** For what the witness is, and the scriptPubKey that it opens. */
function readUnlocking(
  scriptPubKey: Uint8Array,
  [, second = new Uint8Array(), third]: readonly Uint8Array[],
): { signed: Signed; opens: Uint8Array; scriptSig: Uint8Array } {
  const none = new Uint8Array()
  if (third) {
    const { script } = p2tr(third.slice(1), { script: second }, undefined, true)
    const publicKey = second.slice(1, 33)
    return {
      signed: { scheme: 'taproot', publicKey, leaf: second },
      opens: script,
      scriptSig: none,
    }
  }
  if (scriptPubKey[0] === 0x51) {
    const publicKey = scriptPubKey.slice(2)
    return { signed: { scheme: 'taproot', publicKey }, opens: scriptPubKey, scriptSig: none }
  }
  const signed: Signed = { scheme: 'v0', publicKey: second, script: p2pkh(second).script }
  const inner = p2wpkh(second)
  if (scriptPubKey[0] === 0) return { signed, opens: inner.script, scriptSig: none }
  const scriptSig = Uint8Array.of(inner.script.length, ...inner.script)
  return { signed, opens: p2sh(inner).script, scriptSig }
}

function outputAt(transaction: Transaction | undefined, index: number): TransactionOutput {
  const { script, amount } = transaction?.getOutput(index) ?? {}
  if (!script || amount === undefined) throw new Error('nobody made what is spent')
  return { scriptPubKey: script, amount }
}

function sumOf(coins: readonly { amount: bigint }[]): bigint {
  return coins.reduce((sum, { amount }) => sum + amount, 0n)
}

import { Transaction } from 'bitcoinjs-lib/src/transaction'
import { type AddressType, scriptPubKeyOf } from './address.ts'
import { MAX_SATS } from './amount.ts'
import { equalBytes, fromHex } from './bytes.ts'
import { selectCoins } from './coin-selection.ts'
import { dustLimit } from './dust.ts'
import { feeForVsize } from './fee-rate.ts'
import { signInput } from './input-signature.ts'
import { formatOutpoint } from './outpoint.ts'
import { publicKeyOf } from './secp256k1.ts'
import { parseTransaction, type TransactionOutput } from './transaction.ts'
import type { Utxo } from './utxo.ts'

/** A payment before it is signed: recipient first, change last; `fee` in sats, `vsize` of the signed transaction, `feeRate` as asked (sat/vB). */
export type Payment = {
  inputs: Utxo[]
  outputs: TransactionOutput[]
  addressType: AddressType
  fee: bigint
  vsize: number
  feeRate: number
}

export type SignedPayment = { rawTx: Uint8Array; txid: string; vsize: number }

/** An output that the network would refuse to relay as too small. */
export class DustError extends Error {
  override name = 'DustError'
  readonly amount: bigint
  readonly limit: bigint
  constructor(amount: bigint, limit: bigint) {
    super(`An output of ${amount} sats is below the limit of ${limit} sats`)
    this.amount = amount
    this.limit = limit
  }
}

/** A coin is not what the server said: its transaction is missing, is another one, or has another amount or script there. */
export class UnverifiedInputError extends Error {
  override name = 'UnverifiedInputError'
  readonly outpoint: string
  constructor(outpoint: string, reason: string, options?: ErrorOptions) {
    super(`Input ${outpoint} is not verified: ${reason}`, options)
    this.outpoint = outpoint
  }
}

/** Signals replaceability (BIP-125) and leaves the locktime without effect. */
const SEQUENCE = 0xfffffffd
const VERSION = 2

/** Chooses coins and lays out a payment to the script `to`; throws DustError, InsufficientFundsError. */
export function buildPayment(params: {
  to: Uint8Array
  amount: bigint
  utxos: readonly Utxo[]
  own: { publicKey: Uint8Array; addressType: AddressType }
  feeRate: number
  seed: string
}): Payment {
  const { to, amount, utxos, own, feeRate, seed } = params
  if (amount < dustLimit(to)) throw new DustError(amount, dustLimit(to))
  const changeScript = scriptPubKeyOf(own.publicKey, own.addressType)
  const outputs = [{ scriptPubKey: to, amount }]
  const inputType = own.addressType
  const selection = selectCoins({ utxos, inputType, outputs, changeScript, feeRate, seed })
  if (selection.change > 0n) outputs.push({ scriptPubKey: changeScript, amount: selection.change })
  const { inputs, fee, vsize } = selection
  return { inputs, outputs, addressType: inputType, fee, vsize, feeRate }
}

/**
 * Signs every input of a payment. The previous transactions (raw, by txid) of inputs that are not taproot are compared
 * with what the coins claim, because those signatures do not cover every amount (BIP-341 does). Throws
 * {@link UnverifiedInputError}, and a plain error when size, fee or ownership are not as the payment says.
 */
export function signPayment(
  payment: Payment,
  privateKey: Uint8Array,
  previousTransactions: ReadonlyMap<string, Uint8Array>,
): SignedPayment {
  const ownScript = scriptPubKeyOf(publicKeyOf(privateKey), payment.addressType)
  for (const input of payment.inputs) {
    if (!equalBytes(input.scriptPubKey, ownScript))
      throw new Error(`payment: input ${formatOutpoint(input)} is not of this key`)
    verifyPrevout(input, payment.addressType, previousTransactions)
  }
  assertBalance(payment)
  const transaction = new Transaction()
  transaction.version = VERSION
  for (const { txid, vout } of payment.inputs)
    transaction.addInput(fromHex(txid).reverse(), vout, SEQUENCE)
  for (const { scriptPubKey, amount } of payment.outputs)
    transaction.addOutput(scriptPubKey, amount)
  const { inputs: prevouts, addressType } = payment
  for (const index of prevouts.keys())
    signInput({ transaction, index, prevouts, addressType, privateKey })
  const vsize = transaction.virtualSize()
  if (vsize !== payment.vsize)
    throw new Error(`payment: signed ${vsize} vB where ${payment.vsize} vB were reckoned`)
  return { rawTx: transaction.toBuffer(), txid: transaction.getId(), vsize }
}

function verifyPrevout(input: Utxo, type: AddressType, previous: ReadonlyMap<string, Uint8Array>) {
  const raw = previous.get(input.txid)
  if (!raw && type === 'p2tr') return
  const outpoint = formatOutpoint(input)
  if (!raw) throw new UnverifiedInputError(outpoint, 'its transaction is missing')
  const { txid, outputs } = parsePrevious(raw, outpoint)
  if (txid !== input.txid)
    throw new UnverifiedInputError(outpoint, `the transaction given is ${txid}`)
  const output = outputs[input.vout]
  if (!output) throw new UnverifiedInputError(outpoint, 'there is no such output')
  if (output.amount !== input.amount)
    throw new UnverifiedInputError(outpoint, `it holds ${output.amount} sats, not ${input.amount}`)
  if (!equalBytes(output.scriptPubKey, input.scriptPubKey))
    throw new UnverifiedInputError(outpoint, 'it has another script')
}

function parsePrevious(raw: Uint8Array, outpoint: string) {
  try {
    return parseTransaction(raw)
  } catch (cause) {
    throw new UnverifiedInputError(outpoint, 'its transaction cannot be read', { cause })
  }
}

function assertBalance({ inputs, outputs, fee, vsize, feeRate }: Payment): void {
  const total = (coins: readonly { amount: bigint }[]) =>
    coins.reduce((sum, { amount }) => sum + amount, 0n)
  if (new Set(inputs.map(formatOutpoint)).size !== inputs.length || inputs.length === 0)
    throw new Error('payment: inputs missing or repeated')
  if (outputs.some(({ amount }) => amount < 0n) || total(inputs) > MAX_SATS)
    throw new Error('payment: impossible amount')
  if (total(inputs) - total(outputs) !== fee)
    throw new Error('payment: inputs less outputs is not the fee')
  if (fee < feeForVsize(vsize, feeRate)) throw new Error('payment: the fee is below the fee rate')
}

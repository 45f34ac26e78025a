// payments: chooses coins and builds, signs and replaces ordinary payments. It promises that inputs equal outputs
// plus fee, that no output is dust, and that the same seed gives the same transaction. It never looks at what sits
// on a coin: callers hand in the coins that may be spent.

import { Transaction } from 'bitcoinjs-lib/src/transaction'
import { type AddressType, scriptPubKeyOf, typeOfScript } from '../address.ts'
import { MAX_SATS } from '../amount.ts'
import { concatBytes, equalBytes, fromHex, toHex } from '../bytes.ts'
import { dustLimit } from '../dust.ts'
import { feeForVsize } from '../fee-rate.ts'
import type { MultisigType, SpendType } from '../multisig-type.ts'
import type { Network } from '../network.ts'
import { formatOutpoint } from '../outpoint.ts'
import { parsePrevious, provePrevout, UnverifiedInputError } from '../previous-output.ts'
import { MAX_MEMO_SIZE } from '../script.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { signInputs } from '../signing/input-signature.ts'
import type { TransactionOutput } from '../transaction.ts'
import type { Utxo } from '../utxo.ts'
import { selectCoins, sweepCoins } from './coin-selection.ts'
import {
  assertFoundByReceivers,
  assertSilentOutputs,
  hasSilentOutputs,
  type PaymentKey,
  type PaymentOutput,
} from './silent-outputs.ts'

/** Who is paid what, in sats; `max` takes all that the coins hold, less the fee and the other recipients. */
export type Recipient = Omit<PaymentOutput, 'amount'> & { amount: bigint | 'max' }

/** A payment before it is signed; `fee` in sats, `vsize` of the signed transaction, `feeRate` as asked (sat/vB). */
export type Payment<T extends SpendType = AddressType> = {
  inputs: Utxo[]
  outputs: PaymentOutput[]
  addressType: T
  fee: bigint
  vsize: number
  feeRate: number
  /** Which output comes back; null when none does. */
  changeIndex: number | null
  /**
   * So many inputs and outputs, from the first, are coins that carry assets and where those go: their order and amounts
   * stay in whatever replaces this. 0 for plain payments.
   */
  leading: { inputs: number; outputs: number }
}

/** The account that pays, of one key or of several. */
export type AnyPayer = Payer | MultisigPayer

/** 33-byte public key and type of its address. */
export type Payer = Change & {
  publicKey: Uint8Array
  addressType: AddressType
  /** scriptPubKey that comes to hold inscriptions, runes and the like of the account, of any type; of the key itself unless given. */
  assetScript?: Uint8Array
}

/** Several keys, with the scriptPubKey of their first address. */
export type MultisigPayer = Change & { scriptPubKey: Uint8Array; addressType: MultisigType }

/** scriptPubKey that change goes to, of the same type; of the account's own address unless given. */
type Change = { changeScript?: Uint8Array }

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

/** A memo that fits no OP_RETURN output that every node relays, or has no place among the outputs. */
export class MemoError extends Error {
  override name = 'MemoError'
}

/** Signals replaceability (BIP-125) and leaves the locktime without effect. */
const SEQUENCE = 0xfffffffd
const VERSION = 2

/**
 * Chooses coins and lays out a payment: recipients in the order given, then the change, and the memo put in between at
 * `position`, or last where there are fewer outputs. All of `required` is spent, and alone when that suffices. Throws
 * {@link DustError}, {@link MemoError}, InsufficientFundsError, TransactionTooLargeError.
 */
export function buildPayment<P extends AnyPayer>(params: {
  recipients: readonly Recipient[]
  memo: { data: Uint8Array; position: number } | null
  utxos: readonly Utxo[]
  /** Spent before all others, in this order. */
  leading?: readonly Utxo[]
  required?: readonly Utxo[]
  own: P
  feeRate: number
  /** Sats that a transaction of this many vB must pay; what `feeRate` asks unless given. */
  leastFee?: (vsize: number) => bigint
  seed: string
}): Payment<P['addressType']> {
  const { recipients, memo, own, ...rest } = params
  const fixed = recipients.flatMap(({ scriptPubKey, amount }) =>
    amount === 'max' ? [] : { scriptPubKey, amount },
  )
  for (const { scriptPubKey, amount } of fixed) assertNoDust(scriptPubKey, amount)
  const sweeper = recipients.find(({ amount }) => amount === 'max')
  if (recipients.length === 0) throw new Error('payment: there is no recipient')
  if (recipients.length > fixed.length + 1) throw new Error('payment: only one recipient takes max')
  const memoOutput = memo && { scriptPubKey: memoScript(memo.data), amount: 0n }
  const changeScript = changeScriptOf(own)
  const { change, ...chosen } = (sweeper ? sweepCoins : selectCoins)({
    ...rest,
    inputType: own.addressType,
    outputs: memoOutput ? [...fixed, memoOutput] : fixed,
    changeScript: sweeper?.scriptPubKey ?? changeScript,
  })
  const outputs = recipients.map(
    (recipient): PaymentOutput => ({
      ...recipient,
      amount: recipient.amount === 'max' ? change : recipient.amount,
    }),
  )
  const changeOutput = { scriptPubKey: changeScript, amount: change }
  if (!sweeper && change > 0n) outputs.push(changeOutput)
  if (memo && memoOutput) outputs.splice(memoPosition(memo.position), 0, memoOutput)
  const changeAt = outputs.indexOf(changeOutput)
  return {
    ...chosen,
    outputs,
    addressType: own.addressType,
    feeRate: params.feeRate,
    changeIndex: changeAt < 0 ? null : changeAt,
    leading: { inputs: 0, outputs: 0 },
  }
}

/** Inputs that carry assets, and the outputs that these are dealt to: both come first, in this order. */
export type Leading = { inputs: readonly Utxo[]; outputs: readonly TransactionOutput[] }

/**
 * A payment that begins with these inputs and outputs; further coins pay what the inputs leave unpaid, and the change comes
 * last. Throws {@link DustError}, InsufficientFundsError, TransactionTooLargeError.
 */
export function buildLedPayment<P extends AnyPayer>(params: {
  leading: Leading
  utxos: readonly Utxo[]
  required?: readonly Utxo[]
  own: P
  feeRate: number
  seed: string
}): Payment<P['addressType']> {
  const { leading, own, ...rest } = params
  for (const { scriptPubKey, amount } of leading.outputs) assertNoDust(scriptPubKey, amount)
  const changeScript = changeScriptOf(own)
  const { change, ...chosen } = selectCoins({
    ...rest,
    leading: leading.inputs,
    inputType: own.addressType,
    outputs: leading.outputs,
    changeScript,
  })
  const { length } = leading.outputs
  const changeOutput = { scriptPubKey: changeScript, amount: change }
  return {
    ...chosen,
    outputs: change > 0n ? [...leading.outputs, changeOutput] : [...leading.outputs],
    addressType: own.addressType,
    feeRate: params.feeRate,
    changeIndex: change > 0n ? length : null,
    leading: { inputs: leading.inputs.length, outputs: length },
  }
}

/** scriptPubKey that change goes to. */
export function changeScriptOf(own: AnyPayer): Uint8Array {
  return own.changeScript ?? scriptOfPayer(own)
}

/** scriptPubKey of the account's own address. */
export function scriptOfPayer(own: AnyPayer): Uint8Array {
  return 'scriptPubKey' in own ? own.scriptPubKey : scriptPubKeyOf(own.publicKey, own.addressType)
}

/** scriptPubKey of the account for what is more than its sats. */
export function assetScriptOf(own: AnyPayer): Uint8Array {
  return ('assetScript' in own && own.assetScript) || scriptOfPayer(own)
}

/** The same for an output of so many sats: that of the key where they are dust for the other. */
export function assetScriptFor(own: AnyPayer, amount: bigint): Uint8Array {
  const assetScript = assetScriptOf(own)
  return amount < dustLimit(assetScript) ? scriptOfPayer(own) : assetScript
}

/** The transaction before it is signed, serialized. */
export function serializeUnsigned(payment: Pick<Payment, 'inputs' | 'outputs'>): Uint8Array {
  return layOut(payment).toBuffer()
}

/** The transaction of a payment before it is signed. */
export function layOut({ inputs, outputs }: Pick<Payment, 'inputs' | 'outputs'>): Transaction {
  const transaction = new Transaction()
  transaction.version = VERSION
  for (const { txid, vout } of inputs) transaction.addInput(fromHex(txid).reverse(), vout, SEQUENCE)
  for (const { scriptPubKey, amount } of outputs) transaction.addOutput(scriptPubKey, amount)
  return transaction
}

function assertNoDust(scriptPubKey: Uint8Array, amount: bigint): void {
  const limit = dustLimit(scriptPubKey)
  if (amount < limit) throw new DustError(amount, limit)
}

const OP_RETURN = 0x6a
const OP_PUSHDATA1 = 0x4c

function memoScript(data: Uint8Array): Uint8Array {
  if (data.length === 0 || data.length > MAX_MEMO_SIZE)
    throw new MemoError(`A memo has 1 to ${MAX_MEMO_SIZE} bytes, not ${data.length}`)
  const push = data.length < OP_PUSHDATA1 ? [data.length] : [OP_PUSHDATA1, data.length]
  return concatBytes(Uint8Array.of(OP_RETURN, ...push), data)
}

function memoPosition(position: number): number {
  if (!Number.isSafeInteger(position) || position < 0)
    throw new MemoError(`The place of a memo is a whole number from 0, not ${position}`)
  return position
}

/**
 * Signs every input of a payment, each with the key of its address, and with SIGHASH_ALL (SIGHASH_DEFAULT for Taproot), so that no
 * input can be added later. Outputs of silent payments, which only those on `network` may have, must be those that the inputs
 * give. Throws as {@link assertSignable} does, and a plain error when the size is not as the payment says.
 */
export function signPayment(
  payment: Payment,
  keys: readonly PaymentKey[],
  previousTransactions: ReadonlyMap<string, Uint8Array>,
  network: Network | null = null,
): SignedPayment {
  const scripts = keys.map(({ privateKey, addressType }) =>
    scriptPubKeyOf(publicKeyOf(privateKey), addressType),
  )
  assertSignable(payment, scripts, previousTransactions)
  if (hasSilentOutputs(payment) && network === null)
    throw new Error('payment: outputs of silent payments need their network')
  const inputKeySum =
    network !== null && hasSilentOutputs(payment)
      ? assertSilentOutputs(payment, keys, network)
      : null
  const transaction = layOut(payment)
  const { inputs: prevouts } = payment
  for (const [at, key] of keys.entries()) {
    const script = scripts[at] ?? new Uint8Array()
    const indexes = prevouts.flatMap(({ scriptPubKey }, index) =>
      equalBytes(scriptPubKey, script) ? [index] : [],
    )
    if (indexes.length > 0) signInputs({ transaction, prevouts, ...key, indexes })
  }
  if (inputKeySum) assertFoundByReceivers(transaction, prevouts, inputKeySum)
  const vsize = transaction.virtualSize()
  if (vsize !== payment.vsize)
    throw new Error(`payment: signed ${vsize} vB where ${payment.vsize} vB were reckoned`)
  return { rawTx: transaction.toBuffer(), txid: transaction.getId(), vsize }
}

/**
 * Throws unless every input and the change are of these scriptPubKeys, and amounts and fee are what they should be. The
 * previous transactions (raw, by txid) of inputs that are not taproot are compared with what the coins claim, because those
 * signatures do not cover every amount (BIP-341 does): {@link UnverifiedInputError}.
 */
export function assertSignable(
  payment: Payment<SpendType>,
  scripts: readonly Uint8Array[],
  previousTransactions: ReadonlyMap<string, Uint8Array>,
): void {
  const ownScripts = new Set(scripts.map(toHex))
  const isOwn = (scriptPubKey: Uint8Array) => ownScripts.has(toHex(scriptPubKey))
  for (const input of payment.inputs) {
    if (!isOwn(input.scriptPubKey))
      throw new Error(`payment: input ${formatOutpoint(input)} is not of this key`)
    verifyPrevout(input, previousTransactions)
  }
  assertBalance(payment)
  const change = payment.changeIndex === null ? null : payment.outputs[payment.changeIndex]
  if (change !== null && !(change && isOwn(change.scriptPubKey)))
    throw new Error('payment: the change is not of this key')
}

function verifyPrevout(input: Utxo, previous: ReadonlyMap<string, Uint8Array>): void {
  const raw = previous.get(input.txid)
  if (raw) provePrevout(input, parsePrevious(input, raw), input)
  else if (typeOfScript(input.scriptPubKey) !== 'p2tr')
    throw new UnverifiedInputError(input, 'its transaction is missing')
}

function assertBalance({ inputs, outputs, fee, vsize, feeRate }: Payment<SpendType>): void {
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

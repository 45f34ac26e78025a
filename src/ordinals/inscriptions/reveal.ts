import { Transaction } from 'bitcoinjs-lib/src/transaction'
import { scriptPubKeyOf } from '../../bitcoin/address.ts'
import { equalBytes, fromHex } from '../../bitcoin/bytes.ts'
import { formatOutpoint, type Outpoint } from '../../bitcoin/outpoint.ts'
import { assetScriptOf, type Payer } from '../../bitcoin/payments/payment.ts'
import type { PaymentKey } from '../../bitcoin/payments/silent-outputs.ts'
import { publicKeyOf, signSchnorr, tweakPrivateKey } from '../../bitcoin/secp256k1.ts'
import { signInputs } from '../../bitcoin/signing/input-signature.ts'
import { createSighashes, type Sighashes } from '../../bitcoin/signing/sighash.ts'
import { commitToLeaf, leafHash } from '../../bitcoin/signing/taproot-leaf.ts'
import type { TransactionOutput } from '../../bitcoin/transaction.ts'
import {
  INPUT_SIZES,
  type InputSize,
  inputSizeOf,
  sizeOfLeafInput,
} from '../../bitcoin/transaction-size.ts'
import { COMMIT_CONFIRMATIONS } from '../runes/etching.ts'
import { deriveInscribingPrivateKey } from './inscribing-key.ts'

/** How an input is unlocked: a leaf with the key in it, a commit's output without its leaf, or a coin of the account. */
export type Unlocking =
  /** `blocks` is how many the coin must be old at least (BIP-68); it may be spent at once where it is left out. */
  | { kind: 'leaf'; leaf: Uint8Array; blocks?: number }
  /** `merkleRoot` is the hash of the only leaf; null for an output that commits to none. */
  | { kind: 'inscribing-key'; merkleRoot: Uint8Array | null }
  | { kind: 'account' }

/** `of` is a txid, or the place of an earlier transaction in the same list, whose txid is known when that is signed. */
export type RevealInput = TransactionOutput & {
  of: string | number
  vout: number
  unlocking: Unlocking
}

/** A transaction that spends outputs of a commit; `fee` in sats, `vsize` of the signed transaction. */
export type RevealTransaction = {
  inputs: RevealInput[]
  outputs: TransactionOutput[]
  fee: bigint
  vsize: number
}

export type SignedReveal = { rawTx: Uint8Array; txid: string }

/** An account, and the keys of those of its addresses that are spent from or come to hold something; its own key first. */
export type AccountKeys = { own: Payer; keys: readonly PaymentKey[] }

/** Whose keys sign, and the nonce of the inscribing. */
export type RevealKeys = {
  /** Of the account's addresses; null where a device has them. */
  accountKeys: readonly PaymentKey[] | null
  /** The private key that the inscribing's follows from: the account's, unless a device has that. */
  baseKey: Uint8Array
  nonce: Uint8Array
}

/** What a device made of an input of the account. */
export type SignedInput = { index: number; scriptSig: Uint8Array; witness: readonly Uint8Array[] }

/** For an account whose keys are in the wallet. Throws where these do not open what is to hold its inscriptions. */
export function keysOf({ own, keys }: AccountKeys, nonce: Uint8Array): RevealKeys {
  const [first] = keys
  const isOwn =
    first?.addressType === own.addressType &&
    equalBytes(publicKeyOf(first.privateKey), own.publicKey)
  if (!first || !isOwn) throw new Error('reveal: the first key is not that of this account')
  const assetScript = assetScriptOf(own)
  if (!keys.some(key => equalBytes(scriptOf(key), assetScript)))
    throw new Error('reveal: no key is of the script that is to hold the inscriptions')
  return { accountKeys: keys, baseKey: first.privateKey, nonce }
}

function scriptOf({ privateKey, addressType }: PaymentKey): Uint8Array {
  return scriptPubKeyOf(publicKeyOf(privateKey), addressType)
}

/** Signals replaceability (BIP-125) and leaves the locktime without effect. */
const SEQUENCE = 0xfffffffd
const VERSION = 2

/** The rune that a reveal etches. */
export type RevealedEtching = {
  /** The scriptPubKey of its runestone. */
  runestone: Uint8Array
  /** Whether the premine gets an output of its own, behind the inscription's. */
  isPremineApart: boolean
}

/**
 * Blocks that the commit is older than the reveal of an etching, so that the name is committed to in time: ord's wallet writes
 * the same (`build_reveal_transaction` in its `plan.rs`). The sequence number signals replaceability, too.
 */
const ETCHING_BLOCKS = COMMIT_CONFIRMATIONS - 1

/** What a reveal pays, all but the runestone to the account: the inscription, the premine of an etching, the parent's coin. */
export function outputsOfReveal({
  receiver,
  postage,
  parentAmount,
  etching,
}: {
  /** scriptPubKey of the account for what it holds beside sats. */
  receiver: Uint8Array
  postage: bigint
  /** Sats of the parent's coin; null without one. */
  parentAmount: bigint | null
  etching: RevealedEtching | null
}): TransactionOutput[] {
  const own = { scriptPubKey: receiver, amount: postage }
  return [
    own,
    ...(etching?.isPremineApart ? [own] : []),
    ...(parentAmount === null ? [] : [{ scriptPubKey: receiver, amount: parentAmount }]),
    ...(etching ? [{ scriptPubKey: etching.runestone, amount: 0n }] : []),
  ]
}

/** What a reveal unlocks, in the order of its inputs: the leaf first, as an inscription of any other input is cursed. */
export function unlockingsOf(
  leaf: Uint8Array,
  { hasParent, etches }: { hasParent: boolean; etches: boolean },
): Unlocking[] {
  if (etches) return [{ kind: 'leaf', leaf, blocks: ETCHING_BLOCKS }]
  if (!hasParent) return [{ kind: 'leaf', leaf }]
  return [{ kind: 'leaf', leaf }, { kind: 'account' }, { kind: 'inscribing-key', merkleRoot: null }]
}

/** Of a signed input; `accountScript` is what it spends where that is a coin of the account. */
export function sizeOfRevealInput(unlocking: Unlocking, accountScript: Uint8Array): InputSize {
  if (unlocking.kind === 'leaf') return sizeOfLeafInput(unlocking.leaf.length)
  return unlocking.kind === 'account' ? inputSizeOf(accountScript) : INPUT_SIZES.p2tr
}

/**
 * Signs transactions in their order, each after those that it spends from. Throws where an input is not of these keys, or
 * size and fee are not as said. Amounts need no proof: a taproot signature covers those of all inputs (BIP-341), and each
 * of these transactions has one, but for a delivery, whose only input is made by the one before it. `byDevice` are the account's
 * inputs, transaction by transaction, where a device has its keys.
 */
export function signReveals(
  transactions: readonly RevealTransaction[],
  { accountKeys, baseKey, nonce }: RevealKeys,
  byDevice: readonly (readonly SignedInput[])[] = [],
): SignedReveal[] {
  const inscribingKey = deriveInscribingPrivateKey(baseKey, nonce)
  const keys = {
    accountKeys: accountKeys?.map(key => ({ ...key, script: scriptOf(key) })) ?? null,
    inscribingKey,
    publicKey: publicKeyOf(inscribingKey),
  }
  try {
    const signed: SignedReveal[] = []
    for (const [at, reveal] of transactions.entries()) {
      const txidOf = (of: string | number) => {
        const txid = typeof of === 'string' ? of : signed[of]?.txid
        if (txid === undefined) throw new Error('reveal: it spends from a later one')
        return txid
      }
      const inputs = reveal.inputs.map(input => ({ ...input, txid: txidOf(input.of) }))
      signed.push(sign(inputs, reveal, { ...keys, signedInputs: byDevice[at] ?? [] }))
    }
    return signed
  } finally {
    inscribingKey.fill(0)
  }
}

type Keys = {
  accountKeys: readonly (PaymentKey & { script: Uint8Array })[] | null
  /** Of the account, by a device. */
  signedInputs: readonly SignedInput[]
  inscribingKey: Uint8Array
  /** Of the inscribing's key. */
  publicKey: Uint8Array
}

type Input = RevealInput & Outpoint

function sign(
  inputs: readonly Input[],
  { outputs, fee, vsize }: RevealTransaction,
  keys: Keys,
): SignedReveal {
  if (sumOf(inputs) - sumOf(outputs) !== fee)
    throw new Error('reveal: inputs less outputs is not the fee')
  const transaction = layOutTransaction(inputs, outputs)
  const sighashes = createSighashes(transaction, inputs)
  const indexes: number[] = []
  for (const [index, input] of inputs.entries()) {
    const { unlocking } = input
    if (unlocking.kind === 'leaf')
      transaction.setWitness(index, unlockLeaf(input, unlocking.leaf, index, sighashes, keys))
    else if (unlocking.kind === 'inscribing-key')
      transaction.setWitness(index, unlockKey(input, unlocking.merkleRoot, index, sighashes, keys))
    else indexes.push(index)
  }
  // What a device has signed was held against the account's keys before.
  if (keys.accountKeys) signOwn(transaction, inputs, indexes, keys.accountKeys)
  else for (const index of indexes) putSigned(transaction, index, keys)
  const signedVsize = transaction.virtualSize()
  // A device's signature may be a byte longer than ours, or shorter.
  const isAsReckoned = keys.accountKeys
    ? signedVsize === vsize
    : signedVsize <= vsize + indexes.length && (indexes.length > 0 || signedVsize === vsize)
  if (!isAsReckoned)
    throw new Error(`reveal: signed ${signedVsize} vB where ${vsize} vB were reckoned`)
  return { rawTx: transaction.toBuffer(), txid: transaction.getId() }
}

/** The transaction before anything of it is signed. */
export function layOutTransaction(
  inputs: readonly (RevealInput & Outpoint)[],
  outputs: readonly TransactionOutput[],
): Transaction {
  const transaction = new Transaction()
  transaction.version = VERSION
  for (const { txid, vout, unlocking } of inputs) {
    const { blocks = SEQUENCE } = unlocking.kind === 'leaf' ? unlocking : {}
    transaction.addInput(fromHex(txid).reverse(), vout, blocks)
  }
  for (const { scriptPubKey, amount } of outputs) transaction.addOutput(scriptPubKey, amount)
  return transaction
}

/** Each with the key of its address. */
function signOwn(
  transaction: Transaction,
  inputs: readonly Input[],
  indexes: readonly number[],
  keys: NonNullable<Keys['accountKeys']>,
): void {
  const unsigned = new Set(indexes)
  for (const { script, ...key } of keys) {
    const own = inputs.flatMap(({ scriptPubKey }, index) =>
      unsigned.has(index) && equalBytes(scriptPubKey, script) ? index : [],
    )
    for (const index of own) unsigned.delete(index)
    if (own.length > 0) signInputs({ transaction, prevouts: inputs, ...key, indexes: own })
  }
  const stray = inputs.find((_, index) => unsigned.has(index))
  if (stray) throw strayInput(stray)
}

function putSigned(transaction: Transaction, at: number, { signedInputs }: Keys): void {
  const signed = signedInputs.find(({ index }) => index === at)
  if (!signed) throw new Error(`reveal: the device has not signed input ${at}`)
  transaction.setInputScript(at, signed.scriptSig)
  transaction.setWitness(at, [...signed.witness])
}

function unlockLeaf(
  input: Input,
  leaf: Uint8Array,
  index: number,
  sighashes: Sighashes,
  { publicKey, inscribingKey }: Keys,
): Uint8Array[] {
  const hash = leafHash(leaf)
  const { scriptPubKey, controlBlock } = commitToLeaf(publicKey.subarray(1), hash)
  assertSame(input, scriptPubKey)
  return [signSchnorr(sighashes.taproot(index, 0, hash), inscribingKey), leaf, controlBlock]
}

function unlockKey(
  input: Input,
  merkleRoot: Uint8Array | null,
  index: number,
  sighashes: Sighashes,
  { publicKey, inscribingKey }: Keys,
): Uint8Array[] {
  const committed = merkleRoot
    ? commitToLeaf(publicKey.subarray(1), merkleRoot).scriptPubKey
    : scriptPubKeyOf(publicKey, 'p2tr')
  assertSame(input, committed)
  const outputKey = tweakPrivateKey(inscribingKey, merkleRoot ?? undefined)
  try {
    return [signSchnorr(sighashes.taproot(index, 0), outputKey)]
  } finally {
    outputKey.fill(0)
  }
}

function assertSame(input: Input, scriptPubKey: Uint8Array): void {
  if (!equalBytes(input.scriptPubKey, scriptPubKey)) throw strayInput(input)
}

function strayInput(input: Input): Error {
  return new Error(`reveal: ${formatOutpoint(input)} is not of this account and inscribing`)
}

function sumOf(coins: readonly { amount: bigint }[]): bigint {
  return coins.reduce((total, { amount }) => total + amount, 0n)
}

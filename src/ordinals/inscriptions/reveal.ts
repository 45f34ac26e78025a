import { Transaction } from 'bitcoinjs-lib/src/transaction'
import { type AddressType, scriptPubKeyOf } from '../../bitcoin/address.ts'
import { equalBytes, fromHex } from '../../bitcoin/bytes.ts'
import { formatOutpoint, type Outpoint } from '../../bitcoin/outpoint.ts'
import type { Payer } from '../../bitcoin/payments/payment.ts'
import { publicKeyOf, signSchnorr, tweakPrivateKey } from '../../bitcoin/secp256k1.ts'
import { signInputs } from '../../bitcoin/signing/input-signature.ts'
import { createSighashes, type Sighashes } from '../../bitcoin/signing/sighash.ts'
import { commitToLeaf, leafHash } from '../../bitcoin/signing/taproot-leaf.ts'
import type { TransactionOutput } from '../../bitcoin/transaction.ts'
import {
  INPUT_SIZES,
  type InputSize,
  sizeOfLeafInput,
  weighMixedTransaction,
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

/** Whose keys sign, and the nonce of the inscribing. */
export type RevealKeys = {
  own: Payer
  /** Of the account; null where a device has it. */
  privateKey: Uint8Array | null
  /** The private key that the inscribing's follows from: the account's, unless a device has that. */
  baseKey: Uint8Array
  nonce: Uint8Array
}

/** What a device made of an input of the account. */
export type SignedInput = { index: number; scriptSig: Uint8Array; witness: readonly Uint8Array[] }

/** The keys of an account whose key is in the wallet. */
export function keysOf(
  privateKey: Uint8Array,
  addressType: AddressType,
  nonce: Uint8Array,
): RevealKeys {
  const own = { publicKey: publicKeyOf(privateKey), addressType }
  return { own, privateKey, baseKey: privateKey, nonce }
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
  /** scriptPubKey of the account. */
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

/** Weight of the signed transaction. */
export function weighReveal(
  unlockings: readonly Unlocking[],
  outputScripts: readonly Uint8Array[],
  addressType: AddressType,
): number {
  return weighMixedTransaction(
    unlockings.map(unlocking => sizeOfInput(unlocking, addressType)),
    outputScripts,
  )
}

function sizeOfInput(unlocking: Unlocking, addressType: AddressType): InputSize {
  if (unlocking.kind === 'leaf') return sizeOfLeafInput(unlocking.leaf.length)
  return INPUT_SIZES[unlocking.kind === 'account' ? addressType : 'p2tr']
}

/**
 * Signs transactions in their order, each after those that it spends from. Throws where an input is not of these keys, or
 * size and fee are not as said. Amounts need no proof: a taproot signature covers those of all inputs (BIP-341), and each
 * of these transactions has one. `byDevice` are the account's inputs, transaction by transaction, where a device has its key.
 */
export function signReveals(
  transactions: readonly RevealTransaction[],
  { own, privateKey, baseKey, nonce }: RevealKeys,
  byDevice: readonly (readonly SignedInput[])[] = [],
): SignedReveal[] {
  const inscribingKey = deriveInscribingPrivateKey(baseKey, nonce)
  const keys = {
    privateKey,
    addressType: own.addressType,
    ownScript: scriptPubKeyOf(own.publicKey, own.addressType),
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
  privateKey: Uint8Array | null
  addressType: AddressType
  ownScript: Uint8Array
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
    else {
      // What a device has signed was held against the account's keys, of which there may be several.
      if (keys.privateKey) assertSame(input, keys.ownScript)
      indexes.push(index)
    }
  }
  const { privateKey } = keys
  if (privateKey) {
    if (indexes.length > 0)
      signInputs({ transaction, prevouts: inputs, ...keys, privateKey, indexes })
  } else for (const index of indexes) putSigned(transaction, index, keys)
  const signedVsize = transaction.virtualSize()
  // A device's signature may be a byte longer than ours, or shorter.
  const isAsReckoned = privateKey
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
  if (!equalBytes(input.scriptPubKey, scriptPubKey))
    throw new Error(`reveal: ${formatOutpoint(input)} is not of this account and inscribing`)
}

function sumOf(coins: readonly { amount: bigint }[]): bigint {
  return coins.reduce((total, { amount }) => total + amount, 0n)
}

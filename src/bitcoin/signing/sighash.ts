// signing: signature hashes, signatures of inputs and the scripts that unlock them (BIP-143, BIP-340, BIP-341,
// BIP-342). It promises that a signature commits to exactly what its sighash type says. It never decides whether
// to sign: callers check amounts and owners first.

import { sha256 } from '@noble/hashes/sha2.js'
import { taggedHash } from 'bitcoinjs-lib/src/crypto'
import type { Transaction } from 'bitcoinjs-lib/src/transaction'
import { concatBytes } from '../bytes.ts'
import { encodeCompactSize } from '../compact-size.ts'
import type { TransactionOutput } from '../transaction.ts'

/** The signature hash types of BIP-143 and BIP-341 that mean something. */
export type Sighash = (typeof SIGHASHES)[number]

export const SIGHASHES = [0, 1, 2, 3, 0x81, 0x82, 0x83] as const

/** Consensus reads the flag and the low five bits; whatever is neither SINGLE nor NONE in them is ALL. */
const ANYONECANPAY = 0x80
const BASE = 0x1f
const NONE = 2
const SINGLE = 3

/** What a type lets others change, in words for a person; null for one that means nothing. */
export function describeSighash(
  type: number,
): 'all' | 'all-anyone' | 'single-anyone' | 'single' | 'none' | 'none-anyone' | null {
  if (!isSighash(type)) return null
  const outputs = signsNoOutput(type) ? 'none' : signsOneOutput(type) ? 'single' : 'all'
  return signsOneInput(type) ? `${outputs}-anyone` : outputs
}

/** One of the types that mean something, 0 (the default of taproot) among them. */
export function isSighash(type: number): type is Sighash {
  return SIGHASHES.some(known => known === type)
}

/** ANYONECANPAY: the signature covers its own input alone. */
export function signsOneInput(type: number): boolean {
  return (type & ANYONECANPAY) !== 0
}

/** SINGLE: of the outputs the signature covers the one with the index of its input. */
export function signsOneOutput(type: number): boolean {
  return (type & BASE) === SINGLE
}

/** NONE: the signature covers no output. */
export function signsNoOutput(type: number): boolean {
  return (type & BASE) === NONE
}

export type Sighashes = {
  /** The hash of before segwit, of any byte as type; `scriptCode` without OP_CODESEPARATOR. */
  legacy(index: number, scriptCode: Uint8Array, type: number): Uint8Array
  /** BIP-143, of any byte as type; `amount` in sats. */
  v0(index: number, scriptCode: Uint8Array, amount: bigint, type: number): Uint8Array
  /** BIP-341, with the extension of BIP-342 for a leaf. */
  taproot(index: number, type: Sighash, leafHash?: Uint8Array, covered?: TaprootCovered): Uint8Array
}

/** What a taproot signature covers besides, where it is there: the hash of the annex with its size, and the place of the last OP_CODESEPARATOR. */
export type TaprootCovered = {
  annexHash?: Uint8Array | undefined
  codeSeparatorPosition?: number | undefined
}

/**
 * The hashes that the signatures of a transaction sign. What all inputs share is hashed once. All throw for SINGLE without
 * an output of the same index (legacy would sign the number 1, which is good for any transaction), `taproot` also where a
 * previous output that it covers is null.
 */
export function createSighashes(
  transaction: Transaction,
  prevouts: readonly (TransactionOutput | null)[],
): Sighashes {
  const { ins, outs } = transaction
  const version = uint32(transaction.version)
  const locktime = uint32(transaction.locktime)
  const outpoints = ins.map(({ hash, index }) => concatBytes(hash, uint32(index)))
  const sequences = ins.map(({ sequence }) => uint32(sequence))
  const outputs = outs.map(({ script, value }) =>
    encodeOutput({ scriptPubKey: script, amount: value }),
  )

  const hashOutpoints = once(() => hashAll(outpoints))
  const hashSequences = once(() => hashAll(sequences))
  const hashOutputs = once(() => hashAll(outputs))
  const hashAmounts = once(() => hashAll(ins.map((_, i) => uint64(prevoutOf(i).amount))))
  const hashScripts = once(() => hashAll(ins.map((_, i) => withSize(prevoutOf(i).scriptPubKey))))
  const emptyInputs = once(() => joinEmptyInputs(outpoints, sequences))
  const emptyInputsOfAnySequence = once(() => joinEmptyInputs(outpoints, []))

  function prevoutOf(index: number): TransactionOutput {
    const prevout = prevouts[index]
    if (!prevout) throw new Error(`sighash: nothing is known of what input ${index} spends`)
    return prevout
  }

  function outputOf(index: number): Uint8Array {
    const output = outputs[index]
    if (!output) throw new Error(`sighash: there is no output ${index} for SINGLE to sign`)
    return output
  }

  return {
    legacy(index, scriptCode, type) {
      const allSequences = !signsNoOutput(type) && !signsOneOutput(type)
      const others = allSequences ? emptyInputs() : emptyInputsOfAnySequence()
      const own = [at(outpoints, index), withSize(scriptCode), at(sequences, index)]
      const inputs = signsOneInput(type)
        ? [encodeCompactSize(1), ...own]
        : [
            encodeCompactSize(ins.length),
            others.subarray(0, EMPTY_INPUT_SIZE * index),
            ...own,
            others.subarray(EMPTY_INPUT_SIZE * (index + 1)),
          ]
      const signedOutputs = signsNoOutput(type)
        ? []
        : signsOneOutput(type)
          ? [...outputs.slice(0, index).map(() => BLANK_OUTPUT), outputOf(index)]
          : outputs
      const count = encodeCompactSize(signedOutputs.length)
      const parts = [version, ...inputs, count, signedOutputs, locktime, uint32(type)]
      return sha256(hashAll(parts.flat()))
    },

    v0(index, scriptCode, amount, type) {
      const one = signsOneInput(type)
      const partial = signsOneOutput(type) || signsNoOutput(type)
      const signedOutputs = signsOneOutput(type)
        ? sha256(sha256(outputOf(index)))
        : signsNoOutput(type)
          ? ZERO
          : sha256(hashOutputs())
      const parts = [
        version,
        one ? ZERO : sha256(hashOutpoints()),
        one || partial ? ZERO : sha256(hashSequences()),
        at(outpoints, index),
        withSize(scriptCode),
        uint64(amount),
        at(sequences, index),
        signedOutputs,
        locktime,
        uint32(type),
      ]
      return sha256(hashAll(parts))
    },

    taproot(index, type, leafHash, { annexHash, codeSeparatorPosition = NO_CODESEPARATOR } = {}) {
      const one = signsOneInput(type)
      const single = signsOneOutput(type)
      const parts = [
        Uint8Array.of(EPOCH, type),
        version,
        locktime,
        ...(one ? [] : [hashOutpoints(), hashAmounts(), hashScripts(), hashSequences()]),
        ...(single || signsNoOutput(type) ? [] : [hashOutputs()]),
        Uint8Array.of((leafHash ? 2 : 0) + (annexHash ? 1 : 0)),
        ...(one
          ? [at(outpoints, index), encodeOutput(prevoutOf(index)), at(sequences, index)]
          : [uint32(index)]),
        ...(annexHash ? [annexHash] : []),
        ...(single ? [sha256(outputOf(index))] : []),
        ...(leafHash
          ? [leafHash, Uint8Array.of(TAPSCRIPT_KEY_VERSION), uint32(codeSeparatorPosition)]
          : []),
      ]
      return taggedHash('TapSighash', concatBytes(...parts))
    },
  }
}

const EPOCH = 0
const TAPSCRIPT_KEY_VERSION = 0
const NO_CODESEPARATOR = 0xffffffff
const ZERO = new Uint8Array(32)

/** Outpoint, the size of an empty script, sequence. */
const EMPTY_INPUT_SIZE = 36 + 1 + 4

/** What SINGLE puts for the outputs before its own: an amount of -1 and no script. */
const BLANK_OUTPUT = concatBytes(new Uint8Array(8).fill(0xff), Uint8Array.of(0))

/** Inputs without scripts, as legacy hashes see all but their own; a sequence that is not given is 0. */
function joinEmptyInputs(
  outpoints: readonly Uint8Array[],
  sequences: readonly Uint8Array[],
): Uint8Array {
  const joined = new Uint8Array(EMPTY_INPUT_SIZE * outpoints.length)
  for (const [i, outpoint] of outpoints.entries()) {
    joined.set(outpoint, EMPTY_INPUT_SIZE * i)
    joined.set(sequences[i] ?? [], EMPTY_INPUT_SIZE * (i + 1) - 4)
  }
  return joined
}

function encodeOutput({ amount, scriptPubKey }: TransactionOutput): Uint8Array {
  return concatBytes(uint64(amount), withSize(scriptPubKey))
}

function withSize(bytes: Uint8Array): Uint8Array {
  return concatBytes(encodeCompactSize(bytes.length), bytes)
}

function hashAll(parts: readonly Uint8Array[]): Uint8Array {
  const hash = sha256.create()
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

function uint64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}

function at(parts: readonly Uint8Array[], index: number): Uint8Array {
  const part = parts[index]
  if (!part) throw new Error(`sighash: there is no input ${index}`)
  return part
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

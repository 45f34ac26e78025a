import type { Transaction } from 'bitcoinjs-lib/src/transaction'
import { verifyCompact, verifySchnorr } from '../secp256k1.ts'
import { createSighashes, isSighash, signsOneOutput } from '../signing/sighash.ts'
import type { TransactionOutput } from '../transaction.ts'
import { assertScript, ScriptError, TOO_MUCH_WORK } from './script-error.ts'
import { withoutCodeSeparators } from './script-reader.ts'
import type { ScriptRules } from './script-rules.ts'
import { parseEcdsaSignature, toCompact } from './signature-encoding.ts'

/** Signatures that may be checked for an input, and for all of a transaction: each takes one to three milliseconds. */
export type WorkLimit = { input: number; all: number }

/** Where in a tapscript a signature is checked, and what else of the witness it covers. */
export type TaprootContext = {
  leafHash?: Uint8Array
  annexHash?: Uint8Array | undefined
  codeSeparatorPosition?: number
}

/** What scripts ask of the transaction that spends with them. */
export type SignatureChecker = {
  /** Of a signature of the right encoding. */
  ecdsa(
    signature: Uint8Array,
    publicKey: Uint8Array,
    scriptCode: Uint8Array,
    version: 'base' | 'v0',
  ): boolean
  /** Throws a ScriptError of one that is not right; of a 32-byte key. */
  assertSchnorr(
    signature: Uint8Array,
    publicKey: Uint8Array,
    rules: ScriptRules,
    context: TaprootContext,
  ): void
  hasReachedLockTime(lockTime: number): boolean
  hasReachedSequence(sequence: number): boolean
}

const LOCKTIME_THRESHOLD = 500_000_000
const SEQUENCE_FINAL = 0xffffffff
const SEQUENCE_DISABLED = 2 ** 31
const SEQUENCE_TYPE = 2 ** 22
const SEQUENCE_MASK = 0xffff

/** The hash that SINGLE without an output of its index signs before segwit: the number 1. */
const HASH_ONE = Uint8Array.of(1, ...new Uint8Array(31))

/**
 * Checks for the inputs of a transaction. Beyond the limit TOO_MUCH_WORK is thrown. SINGLE without an output of its
 * index is never right in a segwit script of version 0, which is stricter than consensus.
 */
export function createSignatureChecker(
  transaction: Transaction,
  prevouts: readonly TransactionOutput[],
  limit: WorkLimit,
): (index: number) => SignatureChecker {
  const sighashes = createSighashes(transaction, prevouts)
  let leftOfAll = limit.all

  return index => {
    let left = limit.input
    const countOne = () => {
      if (left-- <= 0 || leftOfAll-- <= 0) throw new ScriptError(TOO_MUCH_WORK)
    }
    return {
      ecdsa(bytes, publicKey, scriptCode, version) {
        const signature = parseEcdsaSignature(bytes)
        const key = toPlainKey(publicKey)
        const compact = signature && toCompact(signature)
        if (!signature || !key || !compact) return false
        countOne()
        const { hashType } = signature
        const isLonely = signsOneOutput(hashType) && index >= transaction.outs.length
        if (isLonely && version === 'v0') return false
        const hash = isLonely
          ? HASH_ONE
          : version === 'base'
            ? sighashes.legacy(index, withoutCodeSeparators(scriptCode), hashType)
            : sighashes.v0(index, scriptCode, prevouts[index]?.amount ?? 0n, hashType)
        return attempt(() => verifyCompact(hash, key, compact))
      },

      assertSchnorr(signature, publicKey, rules, context) {
        assertScript(signature.length === 64 || signature.length === 65, 'SCHNORR_SIG_SIZE')
        const hashType = signature[64] ?? 0
        const isKnown = isSighash(hashType) && !(signature.length === 65 && hashType === 0)
        assertScript(isKnown, 'SCHNORR_SIG_HASHTYPE')
        if (rules.has('SIGHASH_ALL')) assertScript(hashType <= 1, 'SIGHASH_NOT_ALL')
        const isLonely = signsOneOutput(hashType) && index >= transaction.outs.length
        assertScript(!isLonely, 'SCHNORR_SIG_HASHTYPE')
        countOne()
        const { leafHash, ...covered } = context
        const hash = sighashes.taproot(index, hashType, leafHash, covered)
        const isRight = attempt(() => verifySchnorr(hash, publicKey, signature.slice(0, 64)))
        assertScript(isRight, 'SCHNORR_SIG')
      },

      hasReachedLockTime(lockTime) {
        const { locktime } = transaction
        const isSameKind = lockTime < LOCKTIME_THRESHOLD === locktime < LOCKTIME_THRESHOLD
        const isFinal = transaction.ins[index]?.sequence === SEQUENCE_FINAL
        return isSameKind && lockTime <= locktime && !isFinal
      },

      hasReachedSequence(wanted) {
        const sequence = transaction.ins[index]?.sequence ?? SEQUENCE_FINAL
        // The version is a number with a sign on the wire, but compared as one without.
        if (transaction.version >>> 0 < 2 || sequence >= SEQUENCE_DISABLED) return false
        const isSameKind = hasType(wanted) === hasType(sequence)
        return isSameKind && maskOf(wanted) <= maskOf(sequence)
      },
    }
  }
}

/** Of 5-byte numbers too, of which only the low bits count. */
export function isSequenceDisabled(sequence: number): boolean {
  return Math.floor(sequence / SEQUENCE_DISABLED) % 2 === 1
}

function hasType(sequence: number): boolean {
  return Math.floor(sequence / SEQUENCE_TYPE) % 2 === 1
}

function maskOf(sequence: number): number {
  return sequence % (SEQUENCE_MASK + 1)
}

/** A key in a form that the library takes: compressed, or uncompressed; hybrid keys (6 or 7 and both coordinates) are turned into the latter. */
function toPlainKey(key: Uint8Array): Uint8Array | null {
  const [first = 0] = key
  if (key.length === 33) return first === 2 || first === 3 ? key : null
  if (key.length !== 65) return null
  if (first === 4) return key
  const isHybrid = (first === 6 || first === 7) && ((key[64] ?? 0) & 1) === (first & 1)
  return isHybrid ? Uint8Array.of(4, ...key.subarray(1)) : null
}

/** The libraries throw on what is no key or no signature at all. */
function attempt(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}

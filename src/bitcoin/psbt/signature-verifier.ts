import type { Transaction } from 'bitcoinjs-lib/src/transaction'
import { concatBytes } from '../bytes.ts'
import {
  createSighashes,
  isSighash,
  type Sighash,
  signsOneInput,
  signsOneOutput,
} from '../signing/sighash.ts'
import { createSignatureChecks, type SignatureChecks } from '../signing/signature-checks.ts'
import type { SpendingTemplate } from '../signing/spending-template.ts'
import type { TransactionOutput } from '../transaction.ts'
import { type Psbt, unsignedTransaction } from './psbt.ts'

const SIGHASH_ALL = 1

/**
 * Whether a signature of a template's key is right. Null when it covers a previous output that is not known, and for what
 * consensus takes before taproot and wallets never make: SINGLE without an output, and a sighash that means nothing.
 */
export type Verifier = (
  index: number,
  template: SpendingTemplate,
  key: Uint8Array,
  signature: Uint8Array,
) => boolean | null

/** Verifies signatures of the transaction of a PSBT. */
export function createVerifier(
  psbt: Psbt,
  prevouts: readonly (TransactionOutput | null)[],
  checks?: SignatureChecks,
): Verifier {
  return createTransactionVerifier(unsignedTransaction(psbt), prevouts, checks)
}

/** Verifies signatures of a transaction; a hash that inputs share is computed once. */
export function createTransactionVerifier(
  transaction: Transaction,
  prevouts: readonly (TransactionOutput | null)[],
  checks: SignatureChecks = createSignatureChecks(),
): Verifier {
  const sighashes = createSighashes(transaction, prevouts)
  const knowsAll = transaction.ins.every((_, index) => prevouts[index])

  function verifyTaproot(
    index: number,
    { leafHash }: SpendingTemplate,
    key: Uint8Array,
    signature: Uint8Array,
  ): boolean | null {
    const type = taprootSighashOf(signature)
    if (type === null) return false
    if (!knowsAll && !signsOneInput(type)) return null
    const hash = sighashes.taproot(index, type, leafHash ?? undefined)
    return checks.schnorr(hash, key, signature.subarray(0, 64))
  }

  function verifyBeforeTaproot(
    index: number,
    { scheme, script }: SpendingTemplate,
    amount: bigint,
    key: Uint8Array,
    signature: Uint8Array,
  ): boolean | null {
    const type = signature.at(-1) ?? 0
    if (signsOneOutput(type) && !transaction.outs[index]) return null
    const hash =
      scheme === 'v0'
        ? sighashes.v0(index, script, amount, type)
        : sighashes.legacy(index, script, type)
    if (type !== 0 && isSighash(type)) return checks.ecdsa(hash, key, signature, type)
    const asAll = concatBytes(signature.subarray(0, -1), Uint8Array.of(SIGHASH_ALL))
    return checks.ecdsa(hash, key, asAll, SIGHASH_ALL) ? null : false
  }

  return (index, template, key, signature) => {
    const prevout = prevouts[index]
    if (!prevout) return null
    try {
      return template.scheme === 'taproot'
        ? verifyTaproot(index, template, key, signature)
        : verifyBeforeTaproot(index, template, prevout.amount, key, signature)
    } catch {
      // What is not a key or a signature at all, and taproot's SINGLE without an output.
      return false
    }
  }
}

/** Null for one that means nothing; BIP-341 forbids writing DEFAULT out. */
function taprootSighashOf(signature: Uint8Array): Sighash | null {
  if (signature.length === 64) return 0
  const type = statedSighash(signature)
  return signature.length === 65 && type !== 0 && isSighash(type) ? type : null
}

/** The sighash that a signature of either scheme states, whether it means something or not. */
export function statedSighash(signature: Uint8Array): number {
  return signature.length === 64 ? 0 : (signature.at(-1) ?? 0)
}

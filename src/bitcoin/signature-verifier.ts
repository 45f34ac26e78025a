import type { Transaction } from 'bitcoinjs-lib/src/transaction'
import { type Psbt, unsignedTransaction } from './psbt.ts'
import { verifyEcdsa, verifySchnorr } from './secp256k1.ts'
import { createSighashes, isSighash, type Sighash, signsOneInput } from './sighash.ts'
import type { SpendingTemplate } from './spending-template.ts'
import type { TransactionOutput } from './transaction.ts'

/** Whether a signature of a template's key is right; null when it covers a previous output that is not known. */
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
): Verifier {
  return createTransactionVerifier(unsignedTransaction(psbt), prevouts)
}

/** Verifies signatures of a transaction; a hash that inputs share is computed once. */
export function createTransactionVerifier(
  transaction: Transaction,
  prevouts: readonly (TransactionOutput | null)[],
): Verifier {
  const sighashes = createSighashes(transaction, prevouts)
  const knowsAll = transaction.ins.every((_, index) => prevouts[index])
  return (index, template, key, signature) => {
    const { scheme, script, leafHash } = template
    const type = sighashOf(signature, scheme === 'taproot')
    const prevout = prevouts[index]
    if (type === null) return false
    if (!prevout || (scheme === 'taproot' && !knowsAll && !signsOneInput(type))) return null
    try {
      if (scheme === 'taproot') {
        const hash = sighashes.taproot(index, type, leafHash ?? undefined)
        return verifySchnorr(hash, key, signature.subarray(0, 64))
      }
      const hash =
        scheme === 'v0'
          ? sighashes.v0(index, script, prevout.amount, type)
          : sighashes.legacy(index, script, type)
      return verifyEcdsa(hash, key, signature, type)
    } catch {
      // What is not a key or a signature at all, and SINGLE without an output.
      return false
    }
  }
}

/** The sighash that a signature of transactions states, by the rules of its scheme; null for one that means nothing. */
function sighashOf(signature: Uint8Array, isTaproot: boolean): Sighash | null {
  if (isTaproot && signature.length === 64) return 0
  const type = statedSighash(signature)
  // BIP-341 forbids writing DEFAULT out; before taproot it did not exist.
  return type !== 0 && isSighash(type) && (!isTaproot || signature.length === 65) ? type : null
}

/** The sighash that a signature of either scheme states, whether it means something or not. */
export function statedSighash(signature: Uint8Array): number {
  return signature.length === 64 ? 0 : (signature.at(-1) ?? 0)
}

import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import type { Transaction } from '@scure/btc-signer'
import type { TransactionOutput } from '../transaction.ts'

/** What a signature is for: an output of a key, or a script and how it is hashed. `script` is the script code. */
export type Signed =
  | { scheme: 'legacy' | 'v0'; publicKey: Uint8Array; script: Uint8Array }
  | { scheme: 'taproot'; publicKey: Uint8Array; leaf?: Uint8Array | undefined }

/** The private method that hashes inputs of before segwit. */
type LegacyHasher = { preimageLegacy(index: number, script: Uint8Array, type: number): Uint8Array }

/** Takes whatever a transaction has. */
export const PERMISSIVE = {
  allowUnknownVersion: true,
  allowUnknownOutputs: true,
  allowUnknownInputs: true,
  allowLegacyWitnessUtxo: true,
  disableScriptCheck: true,
}

/** Signature hashes by an independent library, whose transaction this is. */
export function hashIndependently(
  transaction: Transaction,
  prevouts: readonly TransactionOutput[],
  index: number,
  signed: Omit<Signed, 'publicKey'> & { script?: Uint8Array; leaf?: Uint8Array | undefined },
  type: number,
): Uint8Array {
  const { script = new Uint8Array(), leaf } = signed
  if (signed.scheme === 'legacy')
    return (transaction as unknown as LegacyHasher).preimageLegacy(index, script, type)
  const amounts = prevouts.map(({ amount }) => amount)
  if (signed.scheme === 'v0')
    return transaction.preimageWitnessV0(index, script, type, amounts[index] ?? -1n)
  const scripts = prevouts.map(({ scriptPubKey }) => scriptPubKey)
  return transaction.preimageWitnessV1(index, scripts, type, amounts, undefined, leaf)
}

/** Whether a signature with its sighash byte is right under exactly that sighash, by independent libraries. */
export function verifyIndependently(
  transaction: Transaction,
  prevouts: readonly TransactionOutput[],
  index: number,
  signed: Signed,
  type: number,
  signature: Uint8Array,
): boolean {
  const hash = hashIndependently(transaction, prevouts, index, signed, type)
  if (signed.scheme === 'taproot') {
    const suffix = type === 0 ? [] : [type]
    return (
      signature.length === 64 + suffix.length &&
      suffix.every(byte => signature[64] === byte) &&
      schnorr.verify(signature.slice(0, 64), hash, signed.publicKey)
    )
  }
  const options = { prehash: false, lowS: true, format: 'der' } as const
  return (
    signature.at(-1) === type &&
    secp256k1.verify(signature.slice(0, -1), hash, signed.publicKey, options)
  )
}

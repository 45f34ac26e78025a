import type { AddressType } from '../address.ts'
import type { InputPlan } from './plan.ts'
import { type InputChange, type Psbt, type PsbtInput, withInputs, withModifiable } from './psbt.ts'
import type { SigningKey } from './spend-method.ts'

/** A signature (with its sighash byte unless that is DEFAULT), its key, and the plan that it carries out. */
export type PlannedSignature = { plan: InputPlan; signature: Uint8Array; key: SigningKey }

/**
 * Puts signatures into their fields, with the sighash type that a finalizer needs told, and changes nothing else (BIP-174;
 * for version 2 also what others may still change, BIP-370). Verifies nothing.
 */
export function withSignatures(psbt: Psbt, signatures: readonly PlannedSignature[]): Psbt {
  const changes = new Map<number, InputChange>()
  for (const { plan, signature, key } of signatures) {
    const { index, how, sighash } = plan
    const { publicKey, addressType } = key
    const input = psbt.inputs[index]
    if (!input) throw new RangeError(`psbt: there is no input ${index}`)
    changes.set(index, {
      ...addSignature(input, how, addressType, publicKey, signature),
      ...(needsSighashType(input, how, addressType, sighash) && { sighashType: sighash }),
    })
  }
  const sighashes = new Set(signatures.map(({ plan }) => plan.sighash))
  return [...sighashes].reduce(withModifiable, withInputs(psbt, changes))
}

/**
 * BIP-371: a taproot input without the field is signed with SIGHASH_DEFAULT; of anything else a finalizer has to be told. Beside
 * another signature the field would speak of that one, too.
 */
function needsSighashType(
  { sighashType, tapKeySig, tapScriptSigs }: PsbtInput,
  how: InputPlan['how'],
  addressType: AddressType,
  sighash: number,
): boolean {
  const isFirst = tapKeySig === null && tapScriptSigs.length === 0
  return sighashType === null && sighash !== 0 && isFirst && isTaprootSpend(how, addressType)
}

/** Whether a signature made in this way is a Schnorr signature. */
export function isTaprootSpend({ kind }: InputPlan['how'], addressType: AddressType): boolean {
  return kind === 'leaf' || kind === 'raw-taproot' || (kind === 'key' && addressType === 'p2tr')
}

function addSignature(
  { partialSigs, tapScriptSigs }: PsbtInput,
  how: InputPlan['how'],
  addressType: AddressType,
  publicKey: Uint8Array,
  signature: Uint8Array,
): InputChange {
  if (how.kind === 'leaf') {
    const added = { publicKey: publicKey.subarray(1), leafHash: how.leafHash, signature }
    return { tapScriptSigs: [...tapScriptSigs, added] }
  }
  if (isTaprootSpend(how, addressType)) return { tapKeySig: signature }
  return { partialSigs: [...partialSigs, { publicKey, signature }] }
}

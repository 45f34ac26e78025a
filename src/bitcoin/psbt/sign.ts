import type { AddressType } from '../address.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { signSpends } from '../signing/input-signature.ts'
import { assertPlans, type InputPlan } from './plan.ts'
import type { Prevout } from './prevouts.ts'
import {
  type InputChange,
  type Psbt,
  type PsbtInput,
  unsignedTransaction,
  withInputs,
  withModifiable,
} from './psbt.ts'

/**
 * Adds the planned signatures, the sighash type that they need told, and nothing else (BIP-174; for version 2 also what others may still change, BIP-370). Each
 * input is checked once more; throws PsbtRefusedError when the key does not open it as planned.
 */
export function signPsbt(params: {
  psbt: Psbt
  prevouts: readonly (Prevout | null)[]
  plan: readonly InputPlan[]
  privateKey: Uint8Array
  addressType: AddressType
  auxRand?: Uint8Array
}): Psbt {
  const { psbt, prevouts, plan, privateKey, addressType, auxRand } = params
  const publicKey = publicKeyOf(privateKey)
  assertPlans(psbt, prevouts, { publicKey, addressType }, plan)
  const signatures = signSpends({
    transaction: unsignedTransaction(psbt),
    prevouts,
    spends: plan,
    addressType,
    privateKey,
    auxRand,
  })
  const changes = new Map<number, InputChange>()
  for (const [i, { index, how, sighash }] of plan.entries()) {
    const input = psbt.inputs[index]
    const signature = signatures[i]
    if (!input || !signature) throw new Error(`psbt: input ${index} was not signed`)
    changes.set(index, {
      ...addSignature(input, how, addressType, publicKey, signature),
      ...(needsSighashType(input, how, addressType, sighash) && { sighashType: sighash }),
    })
  }
  const sighashes = new Set(plan.map(({ sighash }) => sighash))
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
  return sighashType === null && sighash !== 0 && isFirst && isTaproot(how, addressType)
}

function isTaproot({ kind }: InputPlan['how'], addressType: AddressType): boolean {
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
  if (isTaproot(how, addressType)) return { tapKeySig: signature }
  return { partialSigs: [...partialSigs, { publicKey, signature }] }
}

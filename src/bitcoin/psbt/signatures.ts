import { typeOfScript } from '../address.ts'
import { equalBytes } from '../bytes.ts'
import { ECDSA_SIGNATURE_SIZE } from '../secp256k1.ts'
import { checkFinalScriptsInSteps, everyValid } from '../signing/final-scripts.ts'
import { listTemplatesInSteps, type SpendingTemplate } from '../signing/spending-template.ts'
import { finish } from '../steps.ts'
import type { TransactionOutput } from '../transaction.ts'
import type { Prevout } from './prevouts.ts'
import type { Psbt, PsbtInput } from './psbt.ts'
import { createVerifier, statedSighash, type Verifier } from './signature-verifier.ts'
import { isRedeemScriptOf, isWitnessScriptOf } from './spend-method.ts'

/**
 * A signature that an input carries. `publicKey` has 33 bytes (65 of old scripts), 32 in taproot, and none where no key of
 * the script made it or nothing is known of what is spent. `valid` is null where that cannot be checked.
 */
export type InputSignature = {
  publicKey: Uint8Array
  sighash: number
  valid: boolean | null
  /** Whether it is valid, also where the PSBT asks for another sighash: that stops a finalizer, not the network. */
  right: boolean | null
}

/**
 * `valid` of a final input is whether its scripts may spend what it spends, else whether all of its signatures are right;
 * null where something cannot be checked, and where there is nothing to check.
 */
export type InputCheck = {
  signatures: readonly InputSignature[]
  final: boolean
  valid: boolean | null
  /** The ways to spend the input that its fields reveal; none where what it spends is not known, or not understood. */
  templates: readonly SpendingTemplate[]
}

/** A signature of an input that is not final. */
export type PartialSignature = InputSignature & {
  signature: Uint8Array
  /** The way to spend the input that it is meant for; null when it is meant for none, or for one that is not understood. */
  template: SpendingTemplate | null
  /** Whether it has the sighash that the input asks for, if it asks for one. */
  asDemanded: boolean
}

const NOTHING = new Uint8Array(0)

/** Checks every signature and final script of a PSBT, input by input; `valid` is null for scripts that are not understood. */
export function checkSignatures(
  psbt: Psbt,
  prevouts: readonly (Prevout | null)[],
): readonly InputCheck[] {
  return finish(checkSignaturesInSteps(psbt, prevouts))
}

/** The same, a signature or a leaf a step: some hundred of them take a second. */
export function* checkSignaturesInSteps(
  psbt: Psbt,
  prevouts: readonly (Prevout | null)[],
): Generator<void, readonly InputCheck[]> {
  const verify = createVerifier(psbt, prevouts)
  const checks: InputCheck[] = []
  for (const [index, input] of psbt.inputs.entries()) {
    checks.push(yield* checkInput(input, index, prevouts[index] ?? null, verify))
    yield
  }
  return checks
}

function* checkInput(
  input: PsbtInput,
  index: number,
  prevout: Prevout | null,
  verify: Verifier,
): Generator<void, InputCheck> {
  if (isFinal(input)) return yield* checkFinal(input, index, prevout, verify)
  const { signatures, templates } = yield* parsePartialSignatures(input, index, prevout, verify)
  return {
    signatures: signatures.map(({ publicKey, sighash, valid, right }) => ({
      publicKey,
      sighash,
      valid,
      right,
    })),
    final: false,
    valid: everyValid(signatures),
    templates,
  }
}

/** How many signatures and leaves there are to check, at most: each costs some milliseconds. */
export function countChecks({ inputs }: Psbt): number {
  return inputs.reduce(
    (sum, { partialSigs, tapScriptSigs, tapLeafScripts, finalScriptWitness, finalScriptSig }) =>
      sum +
      partialSigs.length +
      tapScriptSigs.length +
      tapLeafScripts.length +
      (finalScriptWitness?.length ?? 0) +
      Math.ceil((finalScriptSig?.length ?? 0) / ECDSA_SIGNATURE_SIZE),
    0,
  )
}

/** Whether an input has its final scripts, whatever they are worth. */
export function isFinal({ finalScriptSig, finalScriptWitness }: PsbtInput): boolean {
  return finalScriptSig !== null || finalScriptWitness !== null
}

/**
 * The ways to spend an input that its fields reveal, a leaf a step; null and empty as of {@link listTemplatesInSteps}. A script
 * that is not the output’s reveals nothing of it.
 */
function templatesOfInput(
  { redeemScript, witnessScript, tapLeafScripts, partialSigs }: PsbtInput,
  { scriptPubKey }: TransactionOutput,
): Generator<void, SpendingTemplate[] | null> {
  const publicKeys = partialSigs.map(({ publicKey }) => publicKey)
  const isRedeemer = redeemScript && isRedeemScriptOf(scriptPubKey, redeemScript)
  const isWitness = witnessScript && isWitnessScriptOf(scriptPubKey, witnessScript)
  const revealed = {
    redeemScript: isRedeemer ? redeemScript : null,
    witnessScript: isWitness ? witnessScript : null,
    leaves: tapLeafScripts,
    publicKeys,
  }
  return listTemplatesInSteps(scriptPubKey, revealed)
}

/**
 * The signatures of an input that is not final, in the order of its fields, and the ways to spend it that its fields
 * reveal; no ways are known where the script is not understood. A signature or a leaf a step.
 */
export function* parsePartialSignatures(
  input: PsbtInput,
  index: number,
  prevout: Prevout | null,
  verify: Verifier,
): Generator<void, { signatures: PartialSignature[]; templates: readonly SpendingTemplate[] }> {
  const { partialSigs, tapKeySig, tapScriptSigs, sighashType } = input
  const isTaproot = prevout !== null && typeOfScript(prevout.scriptPubKey) === 'p2tr'
  const outputKey = isTaproot ? prevout.scriptPubKey.subarray(2) : NOTHING
  const templates = prevout && (yield* templatesOfInput(input, prevout))
  const signatures: PartialSignature[] = []

  function* read(
    signature: Uint8Array,
    publicKey: Uint8Array,
    isOfPath: (template: SpendingTemplate) => boolean,
    isLeaf: boolean,
  ): Generator<void, void> {
    const sighash = statedSighash(signature)
    const asDemanded = sighashType === null || sighash === sighashType
    const path = templates?.filter(isOfPath) ?? []
    const template = path.find(({ keys }) => keys.some(key => equalBytes(key, publicKey))) ?? null
    // Of a leaf that is not given or not understood nothing can be said.
    const isUnknown = templates === null || (isTaproot && isLeaf && path.length === 0)
    const isRight = template ? verify(index, template, publicKey, signature) : false
    const right = isUnknown ? null : isRight
    const valid = isUnknown || asDemanded ? right : false
    signatures.push({ signature, publicKey, sighash, asDemanded, template, valid, right })
    yield
  }

  const isEcdsa = ({ scheme }: SpendingTemplate) => scheme !== 'taproot'
  const isKeyPath = ({ scheme, leafHash }: SpendingTemplate) =>
    scheme === 'taproot' && leafHash === null
  for (const { signature, publicKey } of partialSigs)
    yield* read(signature, publicKey, isEcdsa, false)
  if (tapKeySig) yield* read(tapKeySig, outputKey, isKeyPath, false)
  for (const { signature, publicKey, leafHash } of tapScriptSigs) {
    const isOfLeaf = (way: SpendingTemplate) =>
      way.leafHash !== null && equalBytes(way.leafHash, leafHash)
    yield* read(signature, publicKey, isOfLeaf, true)
  }
  return { templates: templates ?? [], signatures }
}

function* checkFinal(
  input: PsbtInput,
  index: number,
  prevout: Prevout | null,
  verify: Verifier,
): Generator<void, InputCheck> {
  if (!prevout) return { signatures: [], final: true, valid: null, templates: [] }
  const { finalScriptSig, finalScriptWitness } = input
  const unlocking = { scriptSig: finalScriptSig ?? NOTHING, witness: finalScriptWitness ?? [] }
  const { signatures, valid } = yield* checkFinalScriptsInSteps(
    prevout.scriptPubKey,
    unlocking,
    (template, key, signature) => verify(index, template, key, signature),
  )
  return {
    signatures: signatures.map(({ key, signature, valid }) => ({
      publicKey: key ?? NOTHING,
      sighash: statedSighash(signature),
      valid,
      right: valid,
    })),
    final: true,
    valid,
    templates: (yield* templatesOfInput(input, prevout)) ?? [],
  }
}

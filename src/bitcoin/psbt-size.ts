import { type AddressType, typeOfScript } from './address.ts'
import { equalBytes } from './bytes.ts'
import type { Psbt, PsbtInput } from './psbt.ts'
import type { InputPlan } from './psbt-plan.ts'
import { isFinal } from './psbt-signatures.ts'
import { ECDSA_SIGNATURE_SIZE } from './secp256k1.ts'
import { type SpendingTemplate, type Unlocking, unlock } from './spending-template.ts'
import type { TransactionOutput } from './transaction.ts'
import { compactSize, weightOfInput } from './transaction-size.ts'

/** `segwit`: has a witness; the others say in one byte that they have none, when any has. */
type InputSize = { weight: number; segwit: boolean; exact: boolean }

/** Outpoint and sequence. */
const INPUT_BASE_SIZE = 40

/** Version, locktime. */
const FRAME_SIZE = 8

/**
 * The vB of the transaction once it is signed. Inputs that are final count as they are; those of own addresses too, since
 * our signatures have fixed sizes; of all others the size is the usual one of their kind, and `exact` is false.
 */
export function estimateVsize(params: {
  psbt: Psbt
  prevouts: readonly (TransactionOutput | null)[]
  plan: readonly InputPlan[]
  /** Of each input the ways to spend it that are known. */
  templates: readonly (readonly SpendingTemplate[])[]
  /** Whether an input spends an address of ours. */
  isOwn: (index: number) => boolean
}): { vsize: number; exact: boolean } {
  const { psbt, prevouts, isOwn } = params
  const plans = new Map(params.plan.map(each => [each.index, each]))
  const inputs = psbt.inputs.map((input, index): InputSize => {
    if (isFinal(input)) {
      const { finalScriptSig, finalScriptWitness } = input
      const unlocking = {
        scriptSig: finalScriptSig ?? new Uint8Array(0),
        witness: finalScriptWitness ?? [],
      }
      return { ...weigh(unlocking), exact: true }
    }
    const prevout = prevouts[index] ?? null
    const type = prevout && typeOfScript(prevout.scriptPubKey)
    const plan = plans.get(index)
    if (type && type !== 'p2wsh' && isOwn(index))
      return { ...weighOwn(type === 'p2sh' ? 'p2sh-p2wpkh' : type, input, plan), exact: true }
    return { ...weighUsual(prevout, params.templates[index] ?? [], plan), exact: false }
  })
  const outputs = psbt.outputs.reduce(
    (size, { scriptPubKey: { length } }) => size + 8 + compactSize(length) + length,
    0,
  )
  const counts = compactSize(psbt.inputs.length) + compactSize(psbt.outputs.length)
  const legacy = inputs.filter(({ segwit }) => !segwit).length
  const marks = legacy < inputs.length ? 2 + legacy : 0
  const weight = inputs.reduce(
    (sum, input) => sum + input.weight,
    4 * (FRAME_SIZE + counts + outputs) + marks,
  )
  return { vsize: Math.ceil(weight / 4), exact: inputs.every(({ exact }) => exact) }
}

/** An input that our signature alone opens; one that is there already may be of a wallet with other sizes. */
function weighOwn(type: AddressType, input: PsbtInput, plan: InputPlan | undefined) {
  const usual = weightOfInput(type)
  if (type === 'p2tr') {
    const sighash = plan?.sighash ?? input.sighashType ?? 0
    const size = input.tapKeySig?.length ?? (sighash === 0 ? 64 : 65)
    return { weight: usual + size - 64, segwit: true }
  }
  const [signed] = plan ? [] : input.partialSigs
  const more = signed ? signed.signature.length - ECDSA_SIGNATURE_SIZE : 0
  return type === 'p2pkh'
    ? { weight: usual + 4 * more, segwit: false }
    : { weight: usual + more, segwit: true }
}

function weighUsual(
  prevout: TransactionOutput | null,
  templates: readonly SpendingTemplate[],
  plan: InputPlan | undefined,
): Omit<InputSize, 'exact'> {
  const leaf = plan?.how.kind === 'leaf' ? plan.how.leafHash : null
  const planned = leaf && templates.find(({ leafHash }) => leafHash && equalBytes(leafHash, leaf))
  // Who reveals a leaf means to use it; the key path comes first.
  const template = planned ?? templates.at(-1)
  if (template) return weigh(unlock(template, fillIn(template)))
  const type = prevout && typeOfScript(prevout.scriptPubKey)
  if (type === 'p2wsh')
    return { weight: 4 * (INPUT_BASE_SIZE + 1) + MULTISIG_WITNESS_SIZE, segwit: true }
  if (type === 'p2pkh') return { weight: weightOfInput(type), segwit: false }
  return { weight: weightOfInput(type === 'p2sh' ? 'p2sh-p2wpkh' : 'p2wpkh'), segwit: true }
}

/** Two of three keys: what most scripts are that are not known. */
const MULTISIG_WITNESS_SIZE = 1 + 1 + 2 * (1 + 72) + 1 + 105

/** As many signatures as are needed, of the usual size. */
function fillIn({ keys, required, scheme }: SpendingTemplate): (Uint8Array | null)[] {
  const size = scheme === 'taproot' ? 64 : ECDSA_SIGNATURE_SIZE
  return keys.map((_, i) => (i < required ? new Uint8Array(size) : null))
}

function weigh({ scriptSig, witness }: Unlocking): Omit<InputSize, 'exact'> {
  const base = INPUT_BASE_SIZE + compactSize(scriptSig.length) + scriptSig.length
  if (witness.length === 0) return { weight: 4 * base, segwit: false }
  const stack = witness.reduce(
    (size, { length }) => size + compactSize(length) + length,
    compactSize(witness.length),
  )
  return { weight: 4 * base + stack, segwit: true }
}

import { type AddressType, typeOfScript } from '../address.ts'
import { equalBytes } from '../bytes.ts'
import { ECDSA_SIGNATURE_SIZE } from '../secp256k1.ts'
import { type SpendingTemplate, type Unlocking, unlock } from '../signing/spending-template.ts'
import type { TransactionOutput } from '../transaction.ts'
import { compactSize, weightOfInput } from '../transaction-size.ts'
import type { InputPlan } from './plan.ts'
import type { Psbt, PsbtInput } from './psbt.ts'
import { isFinal } from './signatures.ts'

/** `segwit`: has a witness; the others say in one byte that they have none, when any has. */
type Weighed = { weight: number; segwit: boolean }

type InputSize = {
  /** With what is there, else with what is usual. */
  proposed: Weighed
  /** With the smallest witness that its script allows, also where one is there: no signature covers a witness, so it can be replaced. */
  least: Weighed
  /** Whether the script leaves no other size. */
  exact: boolean
}

/** What is known of the coin that an input spends. */
export type SpentCoinFacts = {
  /** Whether a key of this wallet alone opens it. */
  isOwn: boolean
  /** Whether its script is more than what the PSBT claims. */
  isKnown: boolean
  /** Whether others have to take the one leaf of a taproot output. */
  hasOnlyLeaf: boolean
}

/** Outpoint and sequence. */
const INPUT_BASE_SIZE = 40

/** Version, locktime. */
const FRAME_SIZE = 8

/** How far a signature of another wallet may differ from the usual size: DER has no fixed one, taproot may name the sighash. */
const SIGNATURE_TOLERANCE = 2

/**
 * The vB of the transaction once it is signed. Inputs that are final count as they are; those of own addresses have fixed
 * sizes; of all others the size is the usual one of their kind. `exact` where the scripts force it. `leastVsize` is the
 * smallest that the other signers can make of it.
 */
export function estimateVsize(params: {
  psbt: Psbt
  prevouts: readonly (TransactionOutput | null)[]
  plan: readonly InputPlan[]
  /** Of each input the ways to spend it that are known. */
  templates: readonly (readonly SpendingTemplate[])[]
  /** Of each input. */
  coins: readonly SpentCoinFacts[]
}): { vsize: number; leastVsize: number; exact: boolean } {
  const { psbt, prevouts, templates, coins } = params
  const plans = new Map(params.plan.map(each => [each.index, each]))
  const inputs = psbt.inputs.map((input, i) =>
    sizeInput(input, prevouts[i] ?? null, templates[i] ?? [], plans.get(i), coins[i]),
  )
  return {
    vsize: sumVsize(
      psbt,
      inputs.map(({ proposed }) => proposed),
    ),
    leastVsize: sumVsize(
      psbt,
      inputs.map(({ least }) => least),
    ),
    exact: inputs.every(({ exact }) => exact),
  }
}

function sumVsize(psbt: Psbt, inputs: readonly Weighed[]): number {
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
  return Math.ceil(weight / 4)
}

function sizeInput(
  input: PsbtInput,
  prevout: TransactionOutput | null,
  templates: readonly SpendingTemplate[],
  plan: InputPlan | undefined,
  coin: SpentCoinFacts | undefined,
): InputSize {
  const type = prevout && typeOfScript(prevout.scriptPubKey)
  const isOwn = coin?.isOwn === true
  const isKnown = coin?.isKnown === true
  const ownType = type === 'p2sh' ? 'p2sh-p2wpkh' : type === 'p2wsh' ? null : type
  const keyed = isOwn ? ownType : KEY_HASHES.find(each => each === type)
  const forced = keyed ? weighAddress(keyed) : null
  const proposed = isFinal(input)
    ? weigh({
        scriptSig: input.finalScriptSig ?? new Uint8Array(0),
        witness: input.finalScriptWitness ?? [],
      })
    : isOwn && keyed
      ? weighOwn(keyed, input, plan)
      : weighUsual(prevout, templates, plan)
  const allowed = forced ?? weighLeast(prevout, templates, coin?.hasOnlyLeaf === true)
  const least = [proposed, allowed, ...(isKnown ? [] : [weighAddress('p2tr')])].reduce(lighter)
  const tolerance = forced?.segwit === false ? 4 * SIGNATURE_TOLERANCE : SIGNATURE_TOLERANCE
  const isForced =
    forced !== null &&
    proposed.segwit === forced.segwit &&
    Math.abs(proposed.weight - forced.weight) <= tolerance
  return { proposed, least, exact: isForced && isKnown && (isOwn || isFinal(input)) }
}

/** Their scripts force a key of 33 bytes and one signature. */
const KEY_HASHES = ['p2wpkh', 'p2pkh'] as const

function lighter(one: Weighed, other: Weighed): Weighed {
  return other.weight < one.weight ? other : one
}

function weighAddress(type: AddressType): Weighed {
  return { weight: weightOfInput(type), segwit: type !== 'p2pkh' }
}

/** An input that our signature alone opens; one that is there already may be of a wallet with other sizes. */
function weighOwn(type: AddressType, input: PsbtInput, plan: InputPlan | undefined): Weighed {
  const { weight, segwit } = weighAddress(type)
  if (type === 'p2tr') {
    const sighash = plan?.sighash ?? input.sighashType ?? 0
    const size = input.tapKeySig?.length ?? (sighash === 0 ? 64 : 65)
    return { weight: weight + size - 64, segwit }
  }
  const [signed] = plan ? [] : input.partialSigs
  const more = signed ? signed.signature.length - ECDSA_SIGNATURE_SIZE : 0
  return { weight: weight + (segwit ? more : 4 * more), segwit }
}

function weighUsual(
  prevout: TransactionOutput | null,
  templates: readonly SpendingTemplate[],
  plan: InputPlan | undefined,
): Weighed {
  const leaf = plan?.how.kind === 'leaf' ? plan.how.leafHash : null
  const planned = leaf && templates.find(({ leafHash }) => leafHash && equalBytes(leafHash, leaf))
  // Who reveals a leaf means to use it; the key path comes first.
  const template = planned ?? templates.at(-1)
  return template ? weighTemplate(template) : weighUnknown(prevout)
}

/** The smallest way that the script allows: the key path of taproot, unless others cannot take it. */
function weighLeast(
  prevout: TransactionOutput | null,
  templates: readonly SpendingTemplate[],
  hasOnlyLeaf: boolean,
): Weighed {
  const open = templates.filter(({ leafHash }) => leafHash !== null || !hasOnlyLeaf)
  return open.length > 0 ? open.map(weighTemplate).reduce(lighter) : weighUnknown(prevout)
}

function weighTemplate(template: SpendingTemplate): Weighed {
  return weigh(unlock(template, fillIn(template)))
}

/** The usual size where no way to spend it is known. */
function weighUnknown(prevout: TransactionOutput | null): Weighed {
  const type = prevout && typeOfScript(prevout.scriptPubKey)
  if (type === 'p2wsh')
    return { weight: 4 * (INPUT_BASE_SIZE + 1) + MULTISIG_WITNESS_SIZE, segwit: true }
  if (type === 'p2pkh') return weighAddress(type)
  return weighAddress(type === 'p2sh' ? 'p2sh-p2wpkh' : 'p2wpkh')
}

/** Two of three keys: what most scripts are that are not known. */
const MULTISIG_WITNESS_SIZE = 1 + 1 + 2 * (1 + 72) + 1 + 105

/** As many signatures as are needed, of the usual size. */
function fillIn({ keys, required, scheme }: SpendingTemplate): (Uint8Array | null)[] {
  const size = scheme === 'taproot' ? 64 : ECDSA_SIGNATURE_SIZE
  return keys.map((_, i) => (i < required ? new Uint8Array(size) : null))
}

function weigh({ scriptSig, witness }: Unlocking): Weighed {
  const base = INPUT_BASE_SIZE + compactSize(scriptSig.length) + scriptSig.length
  if (witness.length === 0) return { weight: 4 * base, segwit: false }
  const stack = witness.reduce(
    (size, { length }) => size + compactSize(length) + length,
    compactSize(witness.length),
  )
  return { weight: 4 * base + stack, segwit: true }
}

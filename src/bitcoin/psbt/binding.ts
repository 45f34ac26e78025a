import { equalBytes, fromHex } from '../bytes.ts'
import { signsNoOutput, signsOneInput, signsOneOutput } from '../signing/sighash.ts'
import type { SpendingTemplate } from '../signing/spending-template.ts'

/**
 * Decides what our signatures bind, whatever others sign; nothing else in the wallet decides it. A signature is valid in
 * every transaction that has the parts which it covers (BIP-143, BIP-341). Two signatures of ours do not add up: one of
 * the coins may be spent in another way, or be signed again later. So a claim is certain only where each of our signatures
 * alone covers everything that the claim depends on.
 */

/** How far a claim about a transaction holds. */
export type Certainty =
  /** In every transaction in which a signature of ours is valid. */
  | 'certain'
  /** Unless others use a signature of ours in another transaction than the one that the PSBT proposes. */
  | 'open'
  /** Unless an amount or a script for which the PSBT has no proof is another one. */
  | 'claimed'
  /** It depends on what is not known, or on others alone. */
  | 'unknown'

/** What a review says of a transaction, never without how far it holds. */
export type Claim<T> = { value: T; certainty: Certainty }

/**
 * A signature of ours for an input. `proven`: it is about to be made, or is there and valid. One that could not be checked
 * is not proven: it can make a claim less certain, never more. An invalid one does not count.
 */
export type OurSignature = { index: number; sighash: number; proven: boolean }

/** What is the same in every transaction in which a signature is valid. */
export type Reach = OurSignature & {
  /** All inputs, in their order; else only its own. */
  inputs: boolean
  outputs: 'all' | ReadonlySet<number>
}

export type Binding = {
  reaches: readonly Reach[]
  /** Those of the signatures for an input. */
  of(input: number): readonly Reach[]
  /** Whether the amount and script of an input are as the PSBT says wherever a signature of ours that names the input is valid. */
  covers(input: number): boolean
}

/** What these signatures bind together; `isTaproot` says whether a signed input spends a taproot output. */
export function bindSignatures(
  signatures: readonly OurSignature[],
  isTaproot: (input: number) => boolean,
): Binding {
  const reaches = signatures.map(
    (signature): Reach => ({
      ...signature,
      inputs: !signsOneInput(signature.sighash),
      outputs: coveredOutputs(signature),
    }),
  )
  const naming = reaches.filter(({ inputs }) => inputs)
  const byInput = new Map<number, Reach[]>()
  for (const reach of reaches) {
    const others = byInput.get(reach.index)
    if (others) others.push(reach)
    else byInput.set(reach.index, [reach])
  }
  // BIP-341: a taproot signature covers the amounts and scripts of all inputs, and with ANYONECANPAY of its own.
  const areCovered = naming.every(({ index }) => isTaproot(index))
  const isNamed = naming.some(({ proven }) => proven)
  return {
    reaches,
    of: input => byInput.get(input) ?? [],
    covers(input) {
      const own = byInput.get(input)
      if (!areCovered || (own && !isTaproot(input))) return false
      return isNamed || (own?.some(({ proven }) => proven) ?? false)
    },
  }
}

/** `certain` where these signatures are valid in no transaction with other inputs or outputs; `open` without any. */
export function certaintyOf(reaches: readonly Reach[]): 'certain' | 'open' {
  const isBound = ({ inputs, outputs }: Reach) => inputs && outputs === 'all'
  return reaches.some(({ proven }) => proven) && reaches.every(isBound) ? 'certain' : 'open'
}

/**
 * Whether a locktime counts wherever these signatures are used: each of them covers a sequence that is not final (BIP-143,
 * BIP-341). `sequences` are those of the inputs.
 */
export function holdsLocktime(reaches: readonly Reach[], sequences: readonly number[]): boolean {
  const isLocking = (sequence: number | undefined) => sequence !== FINAL_SEQUENCE
  const isAnyLocking = sequences.some(isLocking)
  if (reaches.length === 0) return isAnyLocking
  return reaches.every(({ index, inputs, outputs }) =>
    inputs && outputs === 'all' ? isAnyLocking : isLocking(sequences[index]),
  )
}

/** A locktime has no effect where all inputs have this sequence. */
const FINAL_SEQUENCE = 0xffffffff

export function bindsOutput({ outputs }: Pick<Reach, 'outputs'>, output: number): boolean {
  return outputs === 'all' || outputs.has(output)
}

/** The least certain of what a claim hangs on. */
export function weakest(...certainties: readonly Certainty[]): Certainty {
  const order: readonly Certainty[] = ['unknown', 'open', 'claimed']
  return order.find(certainty => certainties.includes(certainty)) ?? 'certain'
}

function coveredOutputs({ index, sighash }: OurSignature): Reach['outputs'] {
  if (signsOneOutput(sighash)) return new Set([index])
  return signsNoOutput(sighash) ? new Set() : 'all'
}

/** BIP-341's point H, whose private key is not known to anyone. */
const UNSPENDABLE_KEY = fromHex('50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0')

/** A control block without a path: its leaf is the only one of its output. */
const CONTROL_BLOCK_OF_ONE = 33

/** The one leaf that others have to take to spend a taproot output; null where there may be another way. */
export function findOnlyLeaf(
  templates: readonly SpendingTemplate[],
  isOwnKey: (publicKey: Uint8Array) => boolean,
): Uint8Array | null {
  const isAlone = ({ leafHash, after }: SpendingTemplate) => {
    const controlBlock = after.at(-1)
    if (leafHash === null || controlBlock?.length !== CONTROL_BLOCK_OF_ONE) return false
    const internalKey = controlBlock.subarray(1)
    return equalBytes(internalKey, UNSPENDABLE_KEY) || isOwnKey(internalKey)
  }
  return templates.find(isAlone)?.script ?? null
}

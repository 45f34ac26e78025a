import { equalBytes, fromHex } from '../bytes.ts'
import { signsNoOutput, signsOneInput, signsOneOutput } from '../signing/sighash.ts'
import type { SpendingTemplate } from '../signing/spending-template.ts'

/**
 * What our signatures bind, whoever else signs what: the one place that decides it. A signature can be used in every
 * transaction that has the parts which it covers by BIP-143 and BIP-341. What another signature of ours beside it covers
 * binds nothing for it: its coin may have another way to be spent, or get another signature of ours later. So a claim is
 * certain only where each of our signatures binds by itself what the claim hangs on.
 */

/** How far a claim about a transaction holds. */
export type Certainty =
  /** In every transaction in which a signature of ours is valid. */
  | 'certain'
  /** Unless others use a signature of ours in another transaction than the one that is drawn. */
  | 'open'
  /** Unless an amount or a script that only the PSBT tells is another one. */
  | 'claimed'
  /** Nobody can say, or only others decide. */
  | 'unknown'

/** What a review says of a transaction, never without how far it holds. */
export type Claim<T> = { value: T; certainty: Certainty }

/**
 * A signature of ours for an input. `proven`: it is to be given, or was found right. Of one that could not be checked only
 * the harm counts, and one that is wrong is none.
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
  /** Whether the amount and script of an input are as told wherever a signature of ours is used that names the input. */
  covers(input: number): boolean
}

/** `isTaproot` tells of the inputs that are signed whether they spend taproot. */
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

/** Whether a transaction has the inputs and outputs that are drawn wherever these signatures are used; `open` without any. */
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

/** Where all inputs have it, the locktime does not count. */
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

/** BIP-341's point H: nobody knows its private key. */
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

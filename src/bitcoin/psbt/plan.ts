import { equalBytes } from '../bytes.ts'
import type { Spend, SpendMethod } from '../signing/input-signature.ts'
import { signsOneInput, signsOneOutput } from '../signing/sighash.ts'
import { chooseSighash } from '../signing/sighash-policy.ts'
import { finish } from '../steps.ts'
import { isTaproot, type Prevout } from './prevouts.ts'
import type { Psbt, PsbtInput } from './psbt.ts'
import { isFinal } from './signatures.ts'
import {
  createOpens,
  isRedeemScriptOf,
  isWitnessScriptOf,
  listScriptMethods,
  type Opens,
  type SigningKey,
} from './spend-method.ts'

export type { SigningKey } from './spend-method.ts'

/** An input that the page names, and what it wants of the signature. */
export type InputOrder = {
  index: number
  sighashTypes: readonly number[] | null
  /** Sign taproot with the key as it is, not with the one of the address. */
  disableTweakSigner: boolean
}

/** An input that will be signed, how, and under which sighash. */
export type InputPlan = Spend

export type PsbtRefusal =
  | 'SIGHASH_REFUSED'
  | 'UNVERIFIED_INPUT'
  | 'NOT_OURS'
  | 'NOTHING_TO_SIGN'
  | 'MESSAGE_IN_PSBT'
  | 'BAD_AMOUNTS'

/** A PSBT of which this wallet signs nothing; `index` is the input that is at fault. */
export class PsbtRefusedError extends Error {
  override name = 'PsbtRefusedError'
  readonly reason: PsbtRefusal
  readonly index: number | null
  constructor(reason: PsbtRefusal, index: number | null, explanation: string) {
    super(index === null ? explanation : `Input ${index}: ${explanation}`)
    this.reason = reason
    this.index = index
  }
}

type Prevouts = readonly (Prevout | null)[]

/**
 * Which inputs will be signed and how. `inputs` null: all that spend the account's own address. Inputs that are final or
 * have this key's signature are left alone, so the plan can be empty. What is ours only the scripts of the previous
 * outputs say. Throws {@link PsbtRefusedError}, with NOTHING_TO_SIGN when no input is named and none is ours.
 */
export function planSigning(params: PlanParams): readonly InputPlan[] {
  return finish(planSigningInSteps(params))
}

type PlanParams = {
  psbt: Psbt
  prevouts: Prevouts
  key: SigningKey
  inputs: readonly InputOrder[] | null
  expert: boolean
}

/** The same, a script that an input comes with a step: a thousand leaves take a second. */
export function* planSigningInSteps(params: PlanParams): Generator<void, readonly InputPlan[]> {
  const { psbt, prevouts, key, expert } = params
  const opens = createOpens(key)
  const orders = params.inputs ?? listOwn(prevouts, opens)
  if (orders.length === 0)
    throw new PsbtRefusedError('NOTHING_TO_SIGN', null, 'None of the inputs is of this account')
  const plans: InputPlan[] = []
  for (const order of orders) {
    const { index, sighashTypes: listed } = order
    const input = inputAt(psbt, index)
    if (isFinal(input)) continue
    const prevout = prevoutAt(prevouts, index)
    const how = yield* findMethod(input, prevout, opens, order)
    if (isSignedBy(input, prevout, how, key.publicKey)) continue
    const { sighashType: field } = input
    const sighash = chooseSighash({ taproot: isTaproot(prevout), field, listed, expert })
    if (sighash === null) throw refuseSighash(index, field, listed)
    const plan = { index, sighash, how }
    assertSignable(psbt, prevouts, opens, plan)
    plans.push(plan)
  }
  return plans
}

/**
 * Throws {@link PsbtRefusedError} unless signing by these plans does what they say: the key opens each previous output in
 * that way, its amount is proven where the signature would not cover it, and there is all that the sighash covers.
 */
export function assertPlans(
  psbt: Psbt,
  prevouts: Prevouts,
  key: SigningKey,
  plans: readonly InputPlan[],
): void {
  const opens = createOpens(key)
  for (const plan of plans) assertSignable(psbt, prevouts, opens, plan)
}

/**
 * The inputs that a key can sign, of its own address and of scripts with it, each under the sighash type that the PSBT asks
 * for. Final ones are left out, and those of which nothing is known.
 */
export function listSignable(psbt: Psbt, prevouts: Prevouts, key: SigningKey): InputOrder[] {
  const opens = createOpens(key)
  return psbt.inputs.flatMap((input, index) => {
    const prevout = prevouts[index]
    if (!prevout || isFinal(input)) return []
    const methods = [{ kind: 'key' } as const, ...listScriptMethods(input)]
    if (!methods.some(method => opens(method, prevout.scriptPubKey))) return []
    const { sighashType } = input
    const sighashTypes = sighashType === null ? null : [sighashType]
    return { index, sighashTypes, disableTweakSigner: false }
  })
}

/** The parts of a plan that each of the keys signs, by their places among these; what none of them opens is in none. */
export function splitPlan(
  plan: readonly InputPlan[],
  prevouts: Prevouts,
  keys: readonly SigningKey[],
): InputPlan[][] {
  const rest = new Set(plan)
  return keys.map(key => {
    const opens = createOpens(key)
    const own = [...rest].filter(({ index, how }) => {
      const prevout = prevouts[index]
      return prevout ? opens(how, prevout.scriptPubKey) : false
    })
    for (const one of own) rest.delete(one)
    return own
  })
}

function assertSignable(psbt: Psbt, prevouts: Prevouts, opens: Opens, plan: InputPlan): void {
  const { index, sighash, how } = plan
  const input = inputAt(psbt, index)
  const prevout = prevoutAt(prevouts, index)
  if (isFinal(input) || !opens(how, prevout.scriptPubKey))
    throw new PsbtRefusedError('NOT_OURS', index, 'it is not for this key to sign')
  assertScriptsOf(input, prevout, index)
  if (signsOneOutput(sighash) && index >= psbt.outputs.length)
    throw new PsbtRefusedError('SIGHASH_REFUSED', index, 'SINGLE has no output to sign here')
  if (!isTaproot(prevout) && prevout.proof !== 'proven')
    throw new PsbtRefusedError('UNVERIFIED_INPUT', index, 'its previous transaction is missing')
  if (isTaproot(prevout) && !signsOneInput(sighash)) assertAllKnown(prevouts)
}

/** A taproot signature covers what every input spends (BIP-341). */
function assertAllKnown(prevouts: Prevouts): void {
  const unknown = prevouts.indexOf(null)
  if (unknown >= 0) prevoutAt(prevouts, unknown)
}

/** The inputs that spend the address of a key. */
export function listOfAddress(prevouts: Prevouts, key: SigningKey): InputOrder[] {
  return listOwn(prevouts, createOpens(key))
}

function listOwn(prevouts: Prevouts, opens: Opens): InputOrder[] {
  const isOwn = (prevout: Prevout | null) => prevout && opens({ kind: 'key' }, prevout.scriptPubKey)
  return prevouts.flatMap((prevout, index) =>
    isOwn(prevout) ? { index, sighashTypes: null, disableTweakSigner: false } : [],
  )
}

function* findMethod(
  input: PsbtInput,
  prevout: Prevout,
  opens: Opens,
  { index, disableTweakSigner }: InputOrder,
): Generator<void, SpendMethod> {
  const { scriptPubKey } = prevout
  const isUntweaked = disableTweakSigner && isTaproot(prevout)
  const methods: SpendMethod[] = [
    { kind: isUntweaked ? 'raw-taproot' : 'key' },
    ...listScriptMethods(input),
  ]
  for (const method of methods) {
    if (opens(method, scriptPubKey)) return method
    yield
  }
  const explanation = opens({ kind: 'key' }, scriptPubKey)
    ? 'it spends the account’s own address, which the untweaked key (disableTweakSigner) does not open'
    : 'it is neither of this account nor of a script with its key'
  throw new PsbtRefusedError('NOT_OURS', index, explanation)
}

/** BIP-174: scripts that come with an input must be those of the output that it spends. */
function assertScriptsOf(
  { redeemScript, witnessScript }: PsbtInput,
  { scriptPubKey }: Prevout,
  index: number,
): void {
  const isRedeemer = !redeemScript || isRedeemScriptOf(scriptPubKey, redeemScript)
  const isWitness = !witnessScript || isWitnessScriptOf(scriptPubKey, witnessScript)
  if (isRedeemer && isWitness) return
  const field = isRedeemer ? 'witnessScript' : 'redeemScript'
  throw new PsbtRefusedError('UNVERIFIED_INPUT', index, `its ${field} is not of what it spends`)
}

function isSignedBy(
  { partialSigs, tapKeySig, tapScriptSigs }: PsbtInput,
  prevout: Prevout,
  how: SpendMethod,
  ownKey: Uint8Array,
): boolean {
  if (!isTaproot(prevout)) return partialSigs.some(({ publicKey }) => equalBytes(publicKey, ownKey))
  if (how.kind !== 'leaf') return tapKeySig !== null
  return tapScriptSigs.some(
    ({ publicKey, leafHash }) =>
      equalBytes(publicKey, ownKey.subarray(1)) && equalBytes(leafHash, how.leafHash),
  )
}

function inputAt(psbt: Psbt, index: number): PsbtInput {
  const input = psbt.inputs[index]
  if (!input) throw new Error(`psbt: there is no input ${index}`)
  return input
}

function prevoutAt(prevouts: Prevouts, index: number): Prevout {
  const prevout = prevouts[index]
  if (prevout) return prevout
  throw new PsbtRefusedError('UNVERIFIED_INPUT', index, 'nothing is known of what it spends')
}

function refuseSighash(
  index: number,
  field: number | null,
  listed: readonly number[] | null,
): PsbtRefusedError {
  const types = `type ${field ?? 'none'} in the PSBT, [${listed?.join(', ') ?? ''}] in sighashTypes`
  return new PsbtRefusedError('SIGHASH_REFUSED', index, `the sighash is refused (${types})`)
}

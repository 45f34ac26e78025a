import { MAX_SATS } from './amount.ts'
import { equalBytes, toHex } from './bytes.ts'
import { formatOutpoint } from './outpoint.ts'
import type { Psbt, PsbtInput } from './psbt.ts'
import {
  createOwners,
  type OutputOwner,
  type Owned,
  type Owner,
  type OwnScript,
} from './psbt-owners.ts'
import { type InputPlan, PsbtRefusedError } from './psbt-plan.ts'
import { isPlaceholder, isTaproot, type Prevout } from './psbt-prevouts.ts'
import { type InputCheck, templatesOfInput } from './psbt-signatures.ts'
import { estimateVsize } from './psbt-size.ts'
import {
  type EarlierSignatures,
  findWorstCase,
  fixesAllOutputs,
  fixesOutput,
  type GivenSignature,
} from './psbt-worst-case.ts'
import { signsOneInput } from './sighash.ts'
import type { SpendingTemplate } from './spending-template.ts'

export type ReviewInput = Owned<Owner> & {
  outpoint: string
  amount: bigint | null
  scriptPubKey: Uint8Array | null
  /** `proven` by the previous transaction, `committed` by a taproot signature of ours, else only `claimed`; null when unknown. */
  proof: 'proven' | 'committed' | 'claimed' | null
  /** `to-sign` now; `signed` by all who have to, but not final; `open` needs somebody's signature that is not planned. */
  state: 'to-sign' | 'signed' | 'final' | 'open'
  /** Of our signature, to be given or already there. */
  sighash: number | null
  /** A signature of ours is valid without this input: others can exchange it. */
  open: boolean
  /** The zero hash: the place of a coin that somebody will put there. */
  placeholder: boolean
  badSignature: boolean
  /** What the loosest signature of ours for it fixes: everything, the outputs but no other input, or less; null without one. */
  fixes: 'all' | 'outputs' | 'less' | null
}

export type ReviewOutput = Owned<OutputOwner> & {
  scriptPubKey: Uint8Array
  amount: bigint
  /** A signature of ours is valid without this output: others can change it. */
  open: boolean
}

export type PsbtReview = {
  inputs: readonly ReviewInput[]
  outputs: readonly ReviewOutput[]
  /** As drawn: by account, own outputs less own inputs. Accounts that it does not touch are not in it. */
  net: ReadonlyMap<string, bigint>
  /** The least (a change in sats) that all own accounts together can end up with when these signatures are used. */
  worst: bigint
  /**
   * Null while an amount is unknown, or while the outputs hold more than the inputs and somebody has to add some.
   * `feeRate` in sat/vB of `vsize`; `open` while others can change it, `claimed` when an amount is only somebody's word.
   */
  fee: { sats: bigint; feeRate: number; certainty: 'fixed' | 'claimed' | 'open' } | null
  vsize: number
  vsizeExact: boolean
  /** Whether it can be broadcast once ours are signed: nobody has to sign or to add a coin. */
  after: 'complete' | 'needs-others'
}

/** Signatures that were given and let others add coins (ANYONECANPAY); they are good for as long as the coins are there. */
export type OpenSignature = {
  /** Of the coins: several that ALL|ANYONECANPAY signatures of one transaction spend, or one. */
  outpoints: readonly string[]
  /** ALL|ANYONECANPAY. */
  all: boolean
  /** The own outputs that they ask for, by {@link nameOutput}. */
  outputs: readonly string[]
}

export function nameOutput(script: string, sats: string): string {
  return `${script} ${sats}`
}

/**
 * Everything that a person should know before signing as planned, or before sending what is signed. Throws
 * PsbtRefusedError BAD_AMOUNTS when the inputs hold more than there can be, or less than the outputs although no signature
 * of ours lets others add any. `earlier` are signatures of the same accounts.
 */
export function reviewPsbt(params: {
  psbt: Psbt
  prevouts: readonly (Prevout | null)[]
  plan: readonly InputPlan[]
  own: readonly OwnScript[]
  signatures: readonly InputCheck[]
  earlier?: readonly OpenSignature[]
}): PsbtReview {
  const { psbt, plan, signatures, earlier = [] } = params
  // Whatever is said of a place that is kept for a coin to come, it is no coin.
  const prevouts = psbt.inputs.map((input, i) =>
    isPlaceholder(input) ? null : (params.prevouts[i] ?? null),
  )
  const owners = createOwners(params.own)
  const plans = new Map(plan.map(each => [each.index, each]))
  const templates = psbt.inputs.map((input, i) => {
    const prevout = prevouts[i]
    return (prevout && templatesOfInput(input, prevout)) ?? []
  })
  const owned = templates.map((ways, i) =>
    owners.ownerOfInput(prevouts[i] ?? null, ways, plans.get(i)),
  )
  const receivers = psbt.outputs.map(owners.ownerOfOutput)
  const given = psbt.inputs.map((input, i) =>
    listGiven(
      input,
      plans.get(i),
      signatures[i],
      key => owned[i]?.owner === 'own' || owners.isOwnKey(key),
    ),
  )
  const all = given.flatMap((signed, index) =>
    signed.map(each => ({ ...each, index, binding: each.right && owned[index]?.owner === 'own' })),
  )
  const right = all.filter(each => each.right)
  const completes = psbt.inputs.map((input, i) =>
    isCompleted(input, templates[i] ?? [], plans.get(i), signatures[i], owners.isOwnKey),
  )
  const provers = listProvers(right, prevouts)
  const isOpenInput = listOpenInputs(all)
  const isOpenOutput = listOpenOutputs(all)

  const inputs = psbt.inputs.map((input, i): ReviewInput => {
    const prevout = prevouts[i] ?? null
    const check = signatures[i]
    return {
      owner: 'unknown',
      accountId: null,
      ...owned[i],
      outpoint: formatOutpoint(input),
      amount: prevout?.amount ?? null,
      scriptPubKey: prevout?.scriptPubKey ?? null,
      proof: prevout && (prevout.proof === 'claimed' && provers(i) ? 'committed' : prevout.proof),
      state: plans.has(i) ? 'to-sign' : check?.final ? 'final' : completes[i] ? 'signed' : 'open',
      sighash: given[i]?.[0]?.sighash ?? null,
      open: isOpenInput(i),
      placeholder: isPlaceholder(input),
      badSignature: check?.valid === false,
      fixes: loosest(given[i] ?? []),
    }
  })
  const outputs = psbt.outputs.map(
    ({ scriptPubKey, amount }, i): ReviewOutput => ({
      owner: 'unknown',
      accountId: null,
      ...receivers[i],
      scriptPubKey,
      amount,
      open: isOpenOutput(i),
    }),
  )
  const isShort = inputs.every(({ amount }) => amount !== null) && sumOf(inputs) < sumOf(outputs)
  const size = estimateVsize({
    psbt,
    prevouts,
    plan,
    templates,
    isOwn: i => owned[i]?.owner === 'own',
  })
  return {
    inputs,
    outputs,
    net: netOf(inputs, outputs),
    worst: findWorstCase({
      inputs: inputs.map(ownAmount),
      outputs: outputs.map(ownAmount),
      signatures: all,
      earlier: placeEarlier(earlier, inputs, outputs),
    }),
    fee: reviewFee(inputs, outputs, { all, right }, size.vsize),
    vsize: size.vsize,
    vsizeExact: size.exact,
    after: completes.every(Boolean) && !isShort ? 'complete' : 'needs-others',
  }
}

/** What signatures for other transactions have to do with the inputs and outputs of this one. */
function placeEarlier(
  earlier: readonly OpenSignature[],
  inputs: readonly ReviewInput[],
  outputs: readonly ReviewOutput[],
): EarlierSignatures[] {
  const places = new Map(inputs.map(({ outpoint }, index) => [outpoint, index]))
  const own = outputs.flatMap(({ owner, scriptPubKey, amount }, index) =>
    owner === 'own' ? { index, name: nameOutput(toHex(scriptPubKey), String(amount)) } : [],
  )
  return earlier.map(({ outpoints, all, outputs: asked }) => {
    const names = new Set(asked)
    return {
      all,
      coins: outpoints.map(outpoint => places.get(outpoint) ?? null),
      outputs: new Set(own.flatMap(({ index, name }) => (names.has(name) ? index : []))),
    }
  })
}

/**
 * Our signatures for an input: the planned one first, then those that it carries. One that is wrong was not given; unless
 * the PSBT only asks for another sighash than it has, which stops a finalizer and nobody else.
 */
function listGiven(
  { sighashType }: PsbtInput,
  plan: InputPlan | undefined,
  check: InputCheck | undefined,
  isOurs: (publicKey: Uint8Array) => boolean,
): { sighash: number; right: boolean }[] {
  const carried = (check?.signatures ?? []).filter(
    ({ publicKey, sighash, valid }) =>
      isOurs(publicKey) && (valid !== false || (sighashType !== null && sighash !== sighashType)),
  )
  return [
    ...(plan ? [{ sighash: plan.sighash, right: true }] : []),
    ...carried.map(({ sighash, valid }) => ({ sighash, right: valid === true })),
  ]
}

function loosest(given: readonly { sighash: number }[]): ReviewInput['fixes'] {
  if (given.length === 0) return null
  if (given.some(({ sighash }) => !fixesAllOutputs(sighash))) return 'less'
  return given.some(({ sighash }) => signsOneInput(sighash)) ? 'outputs' : 'all'
}

/** Whether an input can be final after signing as planned: it is, or has the signatures of a way to spend it that we know. */
function isCompleted(
  input: PsbtInput,
  templates: readonly SpendingTemplate[],
  plan: InputPlan | undefined,
  check: InputCheck | undefined,
  isOwnKey: (publicKey: Uint8Array) => boolean,
): boolean {
  if (check?.final) return check.valid !== false
  if (check?.valid === false) return false
  const how = plan?.how
  if (how?.kind === 'key' || how?.kind === 'raw-taproot') return true
  const right = new Set(
    check?.signatures.flatMap(({ valid, publicKey }) => (valid ? toHex(publicKey) : [])),
  )
  const ofLeaves = new Map<string, Set<string>>()
  for (const { leafHash, publicKey } of input.tapScriptSigs) {
    const [leaf, signer] = [toHex(leafHash), toHex(publicKey)]
    if (right.has(signer)) ofLeaves.set(leaf, (ofLeaves.get(leaf) ?? new Set()).add(signer))
  }
  return templates.some(({ keys, leafHash, scheme, required }) => {
    const signers = leafHash ? ofLeaves.get(toHex(leafHash)) : right
    const isPlanned =
      how?.kind === 'leaf' && leafHash
        ? equalBytes(how.leafHash, leafHash)
        : how?.kind === 'script' && scheme !== 'taproot'
    const missing = keys.filter(key => !signers?.has(toHex(key)))
    const have = keys.length - missing.length + (isPlanned && missing.some(isOwnKey) ? 1 : 0)
    return have >= required
  })
}

/** BIP-341: a taproot signature covers the amounts and scripts of all inputs, and with ANYONECANPAY of its own. */
function listProvers(
  given: readonly GivenSignature[],
  prevouts: readonly (Prevout | null)[],
): (index: number) => boolean {
  const taproot = given.filter(({ index }) => {
    const prevout = prevouts[index]
    return prevout && isTaproot(prevout)
  })
  const coversAll = taproot.some(({ sighash }) => !signsOneInput(sighash))
  const covered = new Set(taproot.map(({ index }) => index))
  return index => coversAll || covered.has(index)
}

/** An input is open when a signature of another one fixes only its own. */
function listOpenInputs(given: readonly GivenSignature[]): (index: number) => boolean {
  const free = new Set(
    given.filter(({ sighash }) => signsOneInput(sighash)).map(({ index }) => index),
  )
  return index => free.size > (free.has(index) ? 1 : 0)
}

function listOpenOutputs(given: readonly GivenSignature[]): (index: number) => boolean {
  const partial = given.filter(({ sighash }) => !fixesAllOutputs(sighash))
  return output => partial.some(({ sighash, index }) => !fixesOutput(sighash, index, output))
}

function netOf(
  inputs: readonly ReviewInput[],
  outputs: readonly ReviewOutput[],
): ReadonlyMap<string, bigint> {
  const net = new Map<string, bigint>()
  const add = (accountId: string | null, sats: bigint) => {
    if (accountId !== null) net.set(accountId, (net.get(accountId) ?? 0n) + sats)
  }
  for (const { accountId, amount } of outputs) add(accountId, amount)
  for (const { accountId, amount } of inputs) add(accountId, -(amount ?? 0n))
  return net
}

function reviewFee(
  inputs: readonly ReviewInput[],
  outputs: readonly ReviewOutput[],
  given: { all: readonly GivenSignature[]; right: readonly GivenSignature[] },
  vsize: number,
): PsbtReview['fee'] {
  const spent = sumOf(inputs)
  if (spent > MAX_SATS)
    throw new PsbtRefusedError(
      'BAD_AMOUNTS',
      null,
      'The inputs hold more bitcoin than there can be',
    )
  if (inputs.some(({ amount }) => amount === null)) return null
  const sats = spent - sumOf(outputs)
  const isOpen = given.all.some(
    ({ sighash }) => signsOneInput(sighash) || !fixesAllOutputs(sighash),
  )
  if (sats < 0n && isOpen) return null
  if (sats < 0n)
    throw new PsbtRefusedError('BAD_AMOUNTS', null, 'The outputs hold more than the inputs')
  const isFixed =
    given.right.some(({ sighash }) => !signsOneInput(sighash) && fixesAllOutputs(sighash)) ||
    (!isOpen && inputs.every(({ state }) => state === 'final'))
  const isProven = inputs.every(({ proof }) => proof !== 'claimed')
  const certainty = !isFixed ? 'open' : isProven ? 'fixed' : 'claimed'
  return { sats, feeRate: Number(sats) / vsize, certainty }
}

function ownAmount({ owner, amount }: { owner: string; amount: bigint | null }): bigint {
  return owner === 'own' ? (amount ?? 0n) : 0n
}

function sumOf(parts: readonly { amount: bigint | null }[]): bigint {
  return parts.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
}

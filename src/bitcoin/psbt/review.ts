import { MAX_SATS } from '../amount.ts'
import { equalBytes, toHex } from '../bytes.ts'
import { formatOutpoint } from '../outpoint.ts'
import type { SpendingTemplate } from '../signing/spending-template.ts'
import {
  type Binding,
  bindSignatures,
  bindsOutput,
  type Certainty,
  type Claim,
  certaintyOf,
  findOnlyLeaf,
  holdsLocktime,
  type Reach,
} from './binding.ts'
import { createOwners, type OutputOwner, type Owned, type Owner, type OwnScript } from './owners.ts'
import { type InputPlan, PsbtRefusedError } from './plan.ts'
import { isPlaceholder, isTaproot, type Prevout } from './prevouts.ts'
import type { Psbt, PsbtInput } from './psbt.ts'
import type { InputCheck } from './signatures.ts'
import { estimateVsize } from './size.ts'
import { txidOnceSigned } from './txid.ts'
import { type EarlierSignatures, findWorstCase } from './worst-case.ts'

export type ReviewInput = Owned<Owner> & {
  outpoint: string
  amount: bigint | null
  scriptPubKey: Uint8Array | null
  /** `proven` by the previous transaction, `committed` by all signatures of ours that name it, else only `claimed`; null when unknown. */
  proof: 'proven' | 'committed' | 'claimed' | null
  /** `to-sign` now; `signed` by all who have to, but not final; `open` where a signature is missing that is not ours to make. */
  state: 'to-sign' | 'signed' | 'final' | 'open'
  /** Of our signature, to be given or already there and right. */
  sighash: number | null
  /** A signature of ours is valid without this input: others can exchange it. */
  open: boolean
  /** Its txid is all zeros: others will put a coin in its place. */
  placeholder: boolean
  badSignature: boolean
  /** What the loosest signature of ours for it fixes: everything, the outputs but no other input, or less; null without one. */
  fixes: 'all' | 'outputs' | 'less' | null
  /** The script of the one leaf that others have to take to spend it; null where there may be another way. */
  onlyLeaf: Uint8Array | null
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
  /** `certain` where our signatures are valid in no other transaction than the proposed one. */
  certainty: 'certain' | 'open'
  /** The txid (hex) of the proposed transaction; null while scriptSigs that are not known yet are part of it. */
  txid: Claim<string | null>
  /** Seconds since 1970, or a block's height, before which it is not valid wherever signatures of ours are used; null for none. */
  locktime: number | null
  /** By account, own outputs less own inputs. Accounts that it does not touch are not in it. */
  net: Claim<ReadonlyMap<string, bigint>>
  /** The least (a change in sats) that all own accounts together can end up with when these signatures are used. */
  worst: bigint
  /**
   * Null while an amount is unknown, or while the outputs hold more than the inputs, so that others have to add coins.
   * `feeRate` in sat/vB of `vsize`.
   */
  fee: { sats: bigint; feeRate: number; certainty: Certainty } | null
  /**
   * Where the fee is not known because an amount is not: the sats that the other inputs certainly hold more than the
   * outputs, so that the fee is no lower. Null where there are none, and where others can exchange any part.
   */
  leastFee: bigint | null
  /** Of the proposed transaction, with the usual sizes of what is not there yet; exact where the scripts force them. */
  vsize: number
  vsizeExact: boolean
  /** The smallest that others can make of it with other witnesses. */
  leastVsize: number
  /** Whether it can be broadcast once ours are signed, without signatures or coins of others. */
  after: 'complete' | 'needs-others'
}

/**
 * Signatures that were given and leave something to others; they are good for as long as the coins are there. One over a
 * single output or none that names all inputs counts as one that does not: that is only worse.
 */
export type OpenSignature = {
  /** Of the coins: several that ALL|ANYONECANPAY signatures of one transaction spend, or one of any other. */
  outpoints: readonly string[]
  /** ALL|ANYONECANPAY. */
  all: boolean
  /** The own outputs that they ask for, by {@link keyOfOutput}. */
  outputs: readonly string[]
}

/** The key of an own output in {@link OpenSignature}: its scriptPubKey in hex and its sats. */
export function keyOfOutput(script: string, sats: string): string {
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
  // A placeholder spends no coin, whatever the PSBT says of it.
  const prevouts = psbt.inputs.map((input, i) =>
    isPlaceholder(input) ? null : (params.prevouts[i] ?? null),
  )
  const owners = createOwners(params.own)
  const plans = new Map(plan.map(each => [each.index, each]))
  const templates = psbt.inputs.map((_, i) => (prevouts[i] && signatures[i]?.templates) ?? [])
  const owned = templates.map((ways, i) =>
    owners.ownerOfInput(prevouts[i] ?? null, ways, plans.get(i)),
  )
  const receivers = psbt.outputs.map(owners.ownerOfOutput)
  const given = psbt.inputs.map((_, i) =>
    listGiven(
      plans.get(i),
      signatures[i],
      key => owned[i]?.owner === 'own' || owners.isOwnKey(key),
    ),
  )
  const binding = bindSignatures(
    given.flatMap((signatures, index) => signatures.map(signature => ({ ...signature, index }))),
    index => {
      const prevout = prevouts[index]
      return prevout ? isTaproot(prevout) : false
    },
  )
  const { reaches } = binding
  const completes = psbt.inputs.map((input, i) =>
    isCompleted(input, templates[i] ?? [], plans.get(i), signatures[i], owners.isOwnKey),
  )
  const isOpenInput = listOpenInputs(reaches)
  const loose = reaches.filter(reach => reach.outputs !== 'all')

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
      proof:
        prevout && (prevout.proof === 'claimed' && binding.covers(i) ? 'committed' : prevout.proof),
      state: plans.has(i) ? 'to-sign' : check?.final ? 'final' : completes[i] ? 'signed' : 'open',
      sighash: given[i]?.find(({ proven }) => proven)?.sighash ?? null,
      open: isOpenInput(i),
      placeholder: isPlaceholder(input),
      badSignature: check?.valid === false,
      fixes: loosest(binding.of(i)),
      onlyLeaf: findOnlyLeaf(templates[i] ?? [], owners.isOwnKey),
    }
  })
  const outputs = psbt.outputs.map(
    ({ scriptPubKey, amount }, i): ReviewOutput => ({
      owner: 'unknown',
      accountId: null,
      ...receivers[i],
      scriptPubKey,
      amount,
      open: loose.some(reach => !bindsOutput(reach, i)),
    }),
  )
  const certainty = certaintyOf(reaches)
  const isShort = inputs.every(({ amount }) => amount !== null) && sumOf(inputs) < sumOf(outputs)
  const size = estimateVsize({
    psbt,
    prevouts,
    plan,
    templates,
    coins: inputs.map(({ owner, scriptPubKey, proof, onlyLeaf }) => ({
      isOwn: owner === 'own' && !(scriptPubKey && owners.isOfSeveral(scriptPubKey)),
      isKnown: proof !== null && proof !== 'claimed',
      hasOnlyLeaf: onlyLeaf !== null,
    })),
  })
  return {
    inputs,
    outputs,
    certainty,
    txid: reviewTxid(psbt, inputs, certainty),
    locktime: reviewLocktime(psbt, reaches),
    net: reviewNet(inputs, outputs, certainty),
    worst: findWorstCase({
      inputs: inputs.map(ownAmount),
      outputs: outputs.map(ownAmount),
      reaches,
      earlier: placeEarlier(earlier, inputs, outputs),
    }),
    fee: reviewFee(inputs, outputs, binding, size.vsize),
    leastFee: certainty === 'certain' ? reviewLeastFee(inputs, outputs) : null,
    vsize: size.vsize,
    leastVsize: size.leastVsize,
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
    owner === 'own' ? { index, name: keyOfOutput(toHex(scriptPubKey), String(amount)) } : [],
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

/** Our signatures for an input: the planned one first, then those that it carries. One that is wrong was not given. */
function listGiven(
  plan: InputPlan | undefined,
  check: InputCheck | undefined,
  isOurs: (publicKey: Uint8Array) => boolean,
): { sighash: number; proven: boolean }[] {
  const carried = (check?.signatures ?? []).filter(
    ({ publicKey, right }) => isOurs(publicKey) && right !== false,
  )
  return [
    ...(plan ? [{ sighash: plan.sighash, proven: true }] : []),
    ...carried.map(({ sighash, right }) => ({ sighash, proven: right === true })),
  ]
}

function loosest(reaches: readonly Reach[]): ReviewInput['fixes'] {
  if (reaches.length === 0) return null
  if (reaches.some(({ outputs }) => outputs !== 'all')) return 'less'
  return certaintyOf(reaches) === 'certain' ? 'all' : 'outputs'
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

/** An input is open when a signature of another one covers only its own. */
function listOpenInputs(reaches: readonly Reach[]): (index: number) => boolean {
  const free = new Set(reaches.flatMap(({ inputs, index }) => (inputs ? [] : index)))
  return index => free.size > (free.has(index) ? 1 : 0)
}

/** What is spent decides on the scriptSigs, which are part of the id. */
function reviewTxid(
  psbt: Psbt,
  inputs: readonly ReviewInput[],
  certainty: 'certain' | 'open',
): PsbtReview['txid'] {
  const known = inputs.map(({ scriptPubKey, proof }) => (proof === 'claimed' ? null : scriptPubKey))
  return { value: certainty === 'certain' ? txidOnceSigned(psbt, known) : null, certainty }
}

function reviewLocktime({ transaction, inputs }: Psbt, reaches: readonly Reach[]): number | null {
  const { locktime } = transaction
  const sequences = inputs.map(({ sequence }) => sequence)
  return locktime !== 0 && holdsLocktime(reaches, sequences) ? locktime : null
}

/** An amount that is only claimed makes this uncertain for own coins alone: it means that we do not sign that input. */
function reviewNet(
  inputs: readonly ReviewInput[],
  outputs: readonly ReviewOutput[],
  certainty: 'certain' | 'open',
): PsbtReview['net'] {
  const isClaimed = inputs.some(({ owner, proof }) => owner === 'own' && proof === 'claimed')
  const value = netOf(inputs, outputs)
  return { value, certainty: certainty === 'certain' && isClaimed ? 'claimed' : certainty }
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
  { reaches }: Binding,
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
  const isOpen = reaches.length > 0 && certaintyOf(reaches) === 'open'
  if (sats < 0n && isOpen) return null
  if (sats < 0n)
    throw new PsbtRefusedError('BAD_AMOUNTS', null, 'The outputs hold more than the inputs')
  const isProven = inputs.every(({ proof }) => proof !== 'claimed')
  const certainty = certaintyOf(reaches)
  return {
    sats,
    feeRate: Number(sats) / vsize,
    certainty: certainty === 'certain' && !isProven ? 'claimed' : certainty,
  }
}

function reviewLeastFee(
  inputs: readonly ReviewInput[],
  outputs: readonly ReviewOutput[],
): bigint | null {
  if (inputs.every(({ amount }) => amount !== null)) return null
  const least = sumOf(inputs.filter(({ proof }) => proof !== 'claimed')) - sumOf(outputs)
  return least > 0n ? least : null
}

function ownAmount({ owner, amount }: { owner: string; amount: bigint | null }): bigint {
  return owner === 'own' ? (amount ?? 0n) : 0n
}

function sumOf(parts: readonly { amount: bigint | null }[]): bigint {
  return parts.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
}

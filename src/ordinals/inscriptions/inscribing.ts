// inscriptions: envelopes, read and written, and the transactions that inscribe: one commit and a reveal an item,
// their fee bumps and the refund of a commit. It promises that whoever has the account's key, the commit and what was
// to be inscribed can always take a commit's outputs back. It never broadcasts and never keeps state.

import { addressOfScript, scriptPubKeyOf } from '../../bitcoin/address.ts'
import { equalBytes } from '../../bitcoin/bytes.ts'
import { dustLimit } from '../../bitcoin/dust.ts'
import { feeForVsize, toMilliSats } from '../../bitcoin/fee-rate.ts'
import type { Network } from '../../bitcoin/network.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import {
  FeeBumpError,
  leastReplacementFeeRate,
  replacementFee,
} from '../../bitcoin/payments/fee-bump.ts'
import {
  assetScriptOf,
  buildPayment,
  DustError,
  type Payer,
  type Payment,
} from '../../bitcoin/payments/payment.ts'
import { commitToLeaf, leafHash } from '../../bitcoin/signing/taproot-leaf.ts'
import { MAX_STANDARD_WEIGHT, weighMixedTransaction } from '../../bitcoin/transaction-size.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import type { InscriptionId } from '../inscription-id.ts'
import { encipherEtching, type NewEtching } from '../runes/etching.ts'
import { commitmentOf } from '../runes/rune-name.ts'
import { buildDelivery, type Delivery, type DeliveryTarget, heldForDelivery } from './delivery.ts'
import {
  buildCommitmentLeaf,
  buildInscriptionLeaf,
  type EnvelopeContent,
} from './envelope-script.ts'
import { deriveInscribingKey, NONCE_SIZE, nonceOfCommit } from './inscribing-key.ts'
import { outputsOfReveal, type RevealedEtching, sizeOfRevealInput, unlockingsOf } from './reveal.ts'

/** An inscription of the paying account, on any of its addresses, that becomes the parent: its coin goes through every reveal and comes back whole. */
export type ParentCoin = { id: InscriptionId; coin: Utxo }

/** One commit and a reveal an item, before they are signed; `feeRate` in sat/vB, fees in sats. */
export type Inscribing = {
  /** 32 bytes: with the account's key it gives the key of the leaves and of taking back. It follows from the commit's first input. */
  nonce: Uint8Array
  /** Pays the leaves in the order of the items, then (with a parent) what the reveals' fees are taken from, then the change. */
  commit: Payment
  reveals: Reveal[]
  /** Sats of each inscription's output; before a delivery with its fee. */
  postage: bigint
  parent: ParentCoin | null
  /** The rune that the only reveal etches. */
  etching: RevealedEtching | null
  /** Sends the only inscription on; null where it stays. */
  delivery: Delivery | null
}

export type Reveal = {
  /** Key check and envelope. */
  leaf: Uint8Array
  /** Sats of the commit's output that holds the leaf; with a parent the postage alone. */
  amount: bigint
  fee: bigint
  vsize: number
}

/** What nodes relay of one unconfirmed commit: 25 transactions in a row, 400,000 WU in each, 101 kvB together. */
export class InscribingLimitError extends Error {
  override name = 'InscribingLimitError'
  readonly limit: 'reveals' | 'weight' | 'size'
  readonly got: number
  readonly allowed: number
  constructor(limit: InscribingLimitError['limit'], got: number) {
    const { allowed, unit } = LIMITS[limit]
    super(`Inscribing takes ${got} ${unit}, and nodes relay at most ${allowed}`)
    this.limit = limit
    this.got = got
    this.allowed = allowed
  }
}

/** Throws {@link InscribingLimitError}. */
export function assertWithin(limit: InscribingLimitError['limit'], got: number): void {
  if (got > LIMITS[limit].allowed) throw new InscribingLimitError(limit, got)
}

const LIMITS = {
  reveals: { allowed: 24, unit: 'reveals' },
  weight: { allowed: MAX_STANDARD_WEIGHT, unit: 'weight units in one reveal' },
  size: { allowed: 101_000, unit: 'vB with its commit' },
}

/** sat/vB: the least increase for which rebuilding is worth it. */
const LEAST_RISE = 1

type Terms = {
  /** Clean coins of the account. */
  utxos: readonly Utxo[]
  own: Payer
  /** 33-byte key that the inscribing's follows from, where that is not the account's own. */
  baseKey?: Uint8Array
  /** sat/vB. */
  feeRate: number
  seed: string
}

/**
 * Lays out a commit that pays `items` in their order and a reveal for each. With a parent each item names it; its coin is
 * never spent by the commit. A single item may be sent on to `deliverTo`, with the postage. Throws {@link InscribingLimitError}, DustError, InsufficientFundsError,
 * TransactionTooLargeError, and a RangeError for content that fits no envelope.
 */
export function buildInscribing({
  items,
  parent,
  deliverTo = null,
  ...params
}: Terms & {
  items: readonly EnvelopeContent[]
  postage: bigint
  parent: ParentCoin | null
  /** scriptPubKey of the receiver; null where all inscriptions stay. */
  deliverTo?: Uint8Array | null
  required?: readonly Utxo[]
}): Inscribing {
  if (deliverTo && (items.length !== 1 || parent))
    throw new RangeError('inscribing: a single item without a parent can be delivered')
  const target = deliverTo && { scriptPubKey: deliverTo, amount: params.postage }
  return withNonceOfCommit(nonce => {
    const key = deriveInscribingKey(params.baseKey ?? params.own.publicKey, nonce).subarray(1)
    const leaves = items.map(item =>
      buildInscriptionLeaf(key, [parent ? { ...item, parents: [parent.id] } : item]),
    )
    return layOut({ ...params, nonce, leaves, parent, etching: null, deliverTo: target })
  })
}

/**
 * The commit and the reveal that etch a rune, with an inscription where there is `content`. The premine, if any, lands on an
 * output of the account that has nothing else; without an inscription that is the first. Throws like {@link buildInscribing}.
 */
export function buildEtching({
  etching,
  content,
  ...params
}: Terms & {
  etching: NewEtching
  content: EnvelopeContent | null
  postage: bigint
  required?: readonly Utxo[]
}): Inscribing {
  const commitment = commitmentOf(etching.name.rune)
  const hasPremine = etching.premine > 0n
  const isPremineApart = hasPremine && content !== null
  const runestone = encipherEtching(etching, hasPremine ? Number(isPremineApart) : null)
  return withNonceOfCommit(nonce => {
    const key = deriveInscribingKey(params.baseKey ?? params.own.publicKey, nonce).subarray(1)
    const leaf = content
      ? buildInscriptionLeaf(key, [{ ...content, rune: commitment }])
      : buildCommitmentLeaf(key, commitment)
    return layOut({
      ...params,
      nonce,
      leaves: [leaf],
      parent: null,
      etching: { runestone, isPremineApart },
      deliverTo: null,
    })
  })
}

/** Lays out twice: which coin the commit spends first depends on no key, as all keys are of one size. */
function withNonceOfCommit(build: (nonce: Uint8Array) => Inscribing): Inscribing {
  const nonce = nonceOfFirstInput(build(new Uint8Array(NONCE_SIZE)))
  const inscribing = build(nonce)
  if (!equalBytes(nonceOfFirstInput(inscribing), nonce))
    throw new Error('inscribing: another coin comes first with another key')
  return inscribing
}

function nonceOfFirstInput({ commit: { inputs } }: Inscribing): Uint8Array {
  const [first] = inputs
  if (!first) throw new Error('inscribing: the commit spends nothing')
  return nonceOfCommit(first)
}

/** The least fee rate (sat/vB) that {@link rebuildInscribing} takes. */
export function leastRebuildFeeRate({ commit }: { commit: { feeRate: number } }): number {
  return Number(toMilliSats(commit.feeRate) + toMilliSats(LEAST_RISE)) / 1000
}

/**
 * The same leaves at a higher fee rate, with a commit that takes the place of one that is in no block: it spends all its
 * coins, the first of them first. `evictedFee` are the fees in sats of what the mempool holds of the earlier commit and its reveals, all of which
 * goes with it (BIP-125 rule 3); coins that are added are confirmed (rule 2). Throws FeeBumpError, InsufficientFundsError,
 * TransactionTooLargeError, {@link InscribingLimitError}.
 */
export function rebuildInscribing({
  before,
  evictedFee,
  ...params
}: Terms & { before: Inscribing; evictedFee: bigint }): Inscribing {
  const leastFeeRate = leastRebuildFeeRate(before)
  if (params.feeRate < leastFeeRate) throw new FeeBumpError(leastFeeRate)
  const { nonce, postage, parent, commit, reveals, etching, delivery } = before
  return layOut({
    ...params,
    nonce,
    postage,
    parent,
    etching,
    deliverTo: delivery,
    leaves: reveals.map(({ leaf }) => leaf),
    utxos: params.utxos.filter(({ height }) => height !== null),
    leading: commit.inputs.slice(0, 1),
    required: commit.inputs,
    leastFee(vsize) {
      const fee = replacementFee(vsize, { feeRate: params.feeRate, evictedFee })
      // The rate must be above that of the commit that goes, too, which may be smaller.
      const forRate = evictedFee > 0n ? feeForVsize(vsize, leastReplacementFeeRate(commit)) : 0n
      return fee > forRate ? fee : forRate
    },
  })
}

/** The address of each commit's output that holds a leaf, in the order of the items. */
export function listCommitAddresses({ commit, reveals }: Inscribing, network: Network): string[] {
  return commit.outputs.slice(0, reveals.length).map(({ scriptPubKey }) => {
    const address = addressOfScript(scriptPubKey, network)
    if (address === null) throw new Error('inscribing: an output of the commit has no address')
    return address
  })
}

function layOut({
  leaves,
  postage: asked,
  parent,
  etching,
  deliverTo,
  nonce,
  baseKey,
  ...rest
}: Terms & {
  leaves: readonly Uint8Array[]
  /** Of no matter before a delivery, whose target names what arrives. */
  postage: bigint
  parent: ParentCoin | null
  etching: RevealedEtching | null
  deliverTo: DeliveryTarget | null
  nonce: Uint8Array
  leading?: readonly Utxo[]
  required?: readonly Utxo[]
  leastFee?: (vsize: number) => bigint
}): Inscribing {
  const { own, feeRate } = rest
  if (leaves.length === 0) throw new RangeError('inscribing: there is no item')
  assertWithin('reveals', leaves.length)
  const receiver = assetScriptOf(own)
  const delivery = deliverTo && buildDelivery(deliverTo, own, feeRate)
  const postage = delivery ? heldForDelivery(delivery) : asked
  const limit = dustLimit(receiver)
  if (postage < limit) throw new DustError(postage, limit)
  const key = deriveInscribingKey(baseKey ?? own.publicKey, nonce)
  const feeScript = scriptPubKeyOf(key, 'p2tr')
  const parentAmount = parent?.coin.amount ?? null
  const outputs = outputsOfReveal({ receiver, postage, parentAmount, etching })
  const scripts = outputs.map(({ scriptPubKey }) => scriptPubKey)
  const paid = outputs.reduce((sum, { amount }) => sum + amount, -(parentAmount ?? 0n))
  const terms = { hasParent: parent !== null, etches: etching !== null }
  const reveals = leaves.map((leaf, k): Reveal => {
    // Each reveal returns the parent's coin to where the next one spends it.
    const accountScript = (k === 0 && parent?.coin.scriptPubKey) || receiver
    const sizes = unlockingsOf(leaf, terms).map(one => sizeOfRevealInput(one, accountScript))
    const weight = weighMixedTransaction(sizes, scripts)
    assertWithin('weight', weight)
    const vsize = Math.ceil(weight / 4)
    const fee = feeForVsize(vsize, feeRate)
    if (!parent) return { leaf, amount: paid + fee, fee, vsize }
    // The fee has a coin of its own, which no dust may be.
    const least = dustLimit(feeScript)
    return { leaf, amount: postage, fee: fee > least ? fee : least, vsize }
  })
  const payLeaves = reveals.map(({ leaf, amount }) => ({
    scriptPubKey: commitToLeaf(key.subarray(1), leafHash(leaf)).scriptPubKey,
    amount,
  }))
  const payFees = reveals.map(({ fee }) => ({ scriptPubKey: feeScript, amount: fee }))
  const parentAt = parent && formatOutpoint(parent.coin)
  const commit = buildPayment({
    ...rest,
    recipients: parent ? [...payLeaves, ...payFees] : payLeaves,
    memo: null,
    utxos: rest.utxos.filter(coin => formatOutpoint(coin) !== parentAt),
  })
  assertWithin(
    'size',
    reveals.reduce((size, { vsize }) => size + vsize, commit.vsize + (delivery?.vsize ?? 0)),
  )
  return { nonce, commit, reveals, postage, parent, etching, delivery }
}

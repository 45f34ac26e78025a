import type { AddressType } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import type { Delivery } from '../../ordinals/inscriptions/delivery.ts'
import type { FeeBumpedReveals } from '../../ordinals/inscriptions/fee-bumped-reveals.ts'
import type { Inscribing, Reveal } from '../../ordinals/inscriptions/inscribing.ts'
import type { Refund } from '../../ordinals/inscriptions/refund.ts'
import type {
  RevealInput,
  RevealTransaction,
  Unlocking,
} from '../../ordinals/inscriptions/reveal.ts'
import {
  decodeCoin,
  decodeOutput,
  decodePayment,
  encodeCoin,
  encodeOutput,
  encodePayment,
  type StoredCoin,
  type StoredOutput,
  type StoredPayment,
} from '../activity/stored-payment.ts'

/** An inscribing as JSON: sats as decimal strings, bytes as hex. */
export type StoredInscribing = {
  nonce: string
  commit: StoredPayment
  reveals: { leaf: string; amount: string; fee: string; vsize: number }[]
  postage: string
  parent: { id: InscriptionId; coin: StoredCoin } | null
  /** None in what was stored before runes could be etched. */
  etching?: { runestone: string; isPremineApart: boolean } | null
  /** None where the inscriptions stay. */
  delivery?: StoredDelivery | null
}

type StoredDelivery = StoredOutput & { fee: string; vsize: number }

/** The same of reveals that pay more. */
export type StoredFeeBumpedReveals = {
  nonce: string
  addressType: AddressType
  feeRate: number
  reveals: (StoredReveal & { item: number; changeIndex: number | null })[]
  /** None where the inscriptions stay. */
  delivery?: StoredDelivery | null
}

/** The same of taking back. */
export type StoredRefund = StoredReveal & {
  nonce: string
  addressType: AddressType
  feeRate: number
}

type StoredReveal = {
  inputs: (StoredOutput & { of: string | number; vout: number; unlocking: StoredUnlocking })[]
  outputs: StoredOutput[]
  fee: string
  vsize: number
}

type StoredUnlocking =
  | { kind: 'leaf'; leaf: string; blocks?: number }
  | { kind: 'inscribing-key'; merkleRoot: string | null }
  | { kind: 'account' }

export function encodeInscribing(inscribing: Inscribing): StoredInscribing {
  const { nonce, commit, reveals, postage, parent, etching, delivery } = inscribing
  return {
    nonce: toHex(nonce),
    commit: encodePayment(commit),
    reveals: reveals.map(({ leaf, amount, fee, vsize }) => ({
      leaf: toHex(leaf),
      amount: String(amount),
      fee: String(fee),
      vsize,
    })),
    postage: String(postage),
    parent: parent && { id: parent.id, coin: encodeCoin(parent.coin) },
    etching: etching && { ...etching, runestone: toHex(etching.runestone) },
    delivery: delivery && encodeDelivery(delivery),
  }
}

export function decodeInscribing(stored: StoredInscribing): Inscribing {
  const { nonce, commit, reveals, postage, parent, etching, delivery } = stored
  return {
    nonce: fromHex(nonce),
    commit: decodePayment(commit),
    reveals: reveals.map(
      ({ leaf, amount, fee, vsize }): Reveal => ({
        leaf: fromHex(leaf),
        amount: BigInt(amount),
        fee: BigInt(fee),
        vsize,
      }),
    ),
    postage: BigInt(postage),
    parent: parent && { id: parent.id, coin: decodeCoin(parent.coin) },
    etching: etching ? { ...etching, runestone: fromHex(etching.runestone) } : null,
    delivery: delivery ? decodeDelivery(delivery) : null,
  }
}

export function encodeFeeBumpedReveals({
  nonce,
  reveals,
  delivery,
  ...rest
}: FeeBumpedReveals): StoredFeeBumpedReveals {
  return {
    ...rest,
    delivery: delivery && encodeDelivery(delivery),
    nonce: toHex(nonce),
    reveals: reveals.map(reveal => ({ ...reveal, ...encodeReveal(reveal) })),
  }
}

export function decodeFeeBumpedReveals({
  nonce,
  reveals,
  delivery,
  ...rest
}: StoredFeeBumpedReveals): FeeBumpedReveals {
  return {
    ...rest,
    delivery: delivery ? decodeDelivery(delivery) : null,
    nonce: fromHex(nonce),
    reveals: reveals.map(reveal => ({ ...reveal, ...decodeReveal(reveal) })),
  }
}

export function encodeRefund({ nonce, ...refund }: Refund): StoredRefund {
  return { ...refund, ...encodeReveal(refund), nonce: toHex(nonce) }
}

export function decodeRefund({ nonce, ...refund }: StoredRefund): Refund {
  return { ...refund, ...decodeReveal(refund), nonce: fromHex(nonce) }
}

function encodeDelivery({ fee, vsize, ...output }: Delivery): StoredDelivery {
  return { ...encodeOutput(output), fee: String(fee), vsize }
}

function decodeDelivery({ fee, vsize, ...output }: StoredDelivery): Delivery {
  return { ...decodeOutput(output), fee: BigInt(fee), vsize }
}

function encodeReveal({ inputs, outputs, fee, vsize }: RevealTransaction): StoredReveal {
  return {
    inputs: inputs.map(({ of, vout, unlocking, ...output }) => ({
      ...encodeOutput(output),
      of,
      vout,
      unlocking: encodeUnlocking(unlocking),
    })),
    outputs: outputs.map(encodeOutput),
    fee: String(fee),
    vsize,
  }
}

function decodeReveal({ inputs, outputs, fee, vsize }: StoredReveal): RevealTransaction {
  return {
    inputs: inputs.map(
      ({ of, vout, unlocking, ...output }): RevealInput => ({
        ...decodeOutput(output),
        of,
        vout,
        unlocking: decodeUnlocking(unlocking),
      }),
    ),
    outputs: outputs.map(decodeOutput),
    fee: BigInt(fee),
    vsize,
  }
}

function encodeUnlocking(unlocking: Unlocking): StoredUnlocking {
  if (unlocking.kind === 'leaf') return { ...unlocking, leaf: toHex(unlocking.leaf) }
  if (unlocking.kind === 'account') return unlocking
  return { ...unlocking, merkleRoot: unlocking.merkleRoot && toHex(unlocking.merkleRoot) }
}

function decodeUnlocking(unlocking: StoredUnlocking): Unlocking {
  if (unlocking.kind === 'leaf') return { ...unlocking, leaf: fromHex(unlocking.leaf) }
  if (unlocking.kind === 'account') return unlocking
  const { merkleRoot } = unlocking
  return { ...unlocking, merkleRoot: merkleRoot === null ? null : fromHex(merkleRoot) }
}

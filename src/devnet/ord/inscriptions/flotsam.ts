import type { Transaction } from 'bitcoinjs-lib'
import { formatInscriptionId, type InscriptionId } from '../../../ordinals/inscription-id.ts'
import { type EnvelopeFields, parseEnvelopes } from '../../../ordinals/inscriptions/envelope.ts'
import { parseInscription } from '../../../ordinals/inscriptions/inscription.ts'
import { sumValues } from '../../chain/transaction-record.ts'
import { type Curse, findCurse } from './curse.ts'

/** An inscription on its way through a transaction or, within the fees, to the coinbase; ord's `Flotsam` (inscription_updater.rs). */
export interface Flotsam {
  id: InscriptionId
  /** Sats before it: among the transaction's inputs, or in the block's reward once it is in the fees. */
  offset: bigint
  /** What is made known of a new one; null for one that moves. */
  reveal: Reveal | null
}

export interface Reveal {
  fields: EnvelopeFields
  curse: Curse | null
  /** Bound to no sat: its input is worth nothing, or it has an even field that ord does not know. */
  unbound: boolean
  reinscription: boolean
  /** Of the parents it names, those that move or appear in the same transaction. */
  parents: readonly InscriptionId[]
  delegate: InscriptionId | null
  /** Sats: the transaction's fee divided by its envelopes, rounded down. */
  fee: bigint
}

/** An inscription that a transaction of a block makes or moves. */
export interface Passage {
  id: InscriptionId
  /** Null for one that moves. */
  reveal: Reveal | null
  /** The scriptPubKey that gets it; null where it is left in the fees. */
  script: Uint8Array | null
}

/** An output that is spent, with its inscriptions in the order in which they were numbered. */
export interface Prevout {
  value: bigint
  inscriptions: readonly { id: InscriptionId; offset: bigint }[]
}

/** The inscriptions that a transaction (no coinbase) moves and reveals: input by input, first what was there. */
export function gatherFlotsam(
  txid: string,
  tx: Transaction,
  prevouts: readonly Prevout[],
  wasCursed: (id: InscriptionId) => boolean,
): Flotsam[] {
  const envelopes = parseEnvelopes(tx.ins.map(({ witness }) => witness))
  const paid = sumValues(tx.outs)
  const fee = sumValues(prevouts) - paid
  const flotsam: Flotsam[] = []
  const inscribed = new Map<bigint, InscriptionId[]>()
  function float(piece: Flotsam): void {
    flotsam.push(piece)
    inscribed.set(piece.offset, [...(inscribed.get(piece.offset) ?? []), piece.id])
  }

  let start = 0n
  let index = 0
  for (const [input, prevout] of prevouts.entries()) {
    for (const { id, offset } of prevout.inscriptions) {
      float({ id, offset: start + offset, reveal: null })
    }
    for (const envelope of envelopes.filter(envelope => envelope.input === input)) {
      const { fields } = envelope
      const { pointer, parents, delegate } = parseInscription(fields)
      const offset = pointer !== null && pointer < paid ? pointer : start
      const reveal = {
        fields,
        curse: findCurse(envelope, inscribed.get(start) ?? [], wasCursed),
        unbound: prevout.value === 0n || envelope.unrecognizedEvenField,
        reinscription: inscribed.has(offset),
        parents,
        delegate,
        fee: fee / BigInt(envelopes.length),
      }
      float({ id: formatInscriptionId({ txid, index: index++ }), offset, reveal })
    }
    start += prevout.value
  }
  const present = new Set(flotsam.map(({ id }) => id))
  return flotsam.map(piece => keepParents(piece, present))
}

function keepParents(piece: Flotsam, present: ReadonlySet<InscriptionId>): Flotsam {
  if (!piece.reveal) return piece
  const parents = [...new Set(piece.reveal.parents)].filter(id => present.has(id))
  return { ...piece, reveal: { ...piece.reveal, parents } }
}

/**
 * Lets inscriptions fall into outputs, first in, first out: each output takes as many sats as it is worth. `left` are past
 * the last output, in the fees. Both keep the order of their offsets, the order in which ord numbers.
 */
export function settleFlotsam(
  flotsam: readonly Flotsam[],
  outputs: readonly { value: bigint }[],
): { settled: { piece: Flotsam; vout: number; offset: bigint }[]; left: Flotsam[] } {
  const left = flotsam.toSorted((a, b) => Number(a.offset - b.offset))
  const settled: { piece: Flotsam; vout: number; offset: bigint }[] = []
  let start = 0n
  for (const [vout, { value }] of outputs.entries()) {
    const end = start + value
    for (let piece = left[0]; piece && piece.offset < end; piece = left[0]) {
      settled.push({ piece, vout, offset: piece.offset - start })
      left.shift()
    }
    start = end
  }
  return { settled, left }
}

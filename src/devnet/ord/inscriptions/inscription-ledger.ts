// inscriptions: the outputs of the chain and the inscriptions on them, by the rules of ord's
// `inscription_updater.rs` (https://github.com/ordinals/ord/blob/master/src/index/updater/inscription_updater.rs).

import type { Transaction } from 'bitcoinjs-lib'
import type { InscriptionId } from '../../../ordinals/inscription-id.ts'
import type { EnvelopeFields } from '../../../ordinals/inscriptions/envelope.ts'
import type { Journal } from '../../chain/journal.ts'
import { classifyScript } from '../../chain/script.ts'
import { spentOutpoint, sumValues } from '../../chain/transaction-record.ts'
import type { Curse } from './curse.ts'
import { type Flotsam, gatherFlotsam, type Passage, type Reveal, settleFlotsam } from './flotsam.ts'
import type { OrdBlock, OutputSet } from './output-set.ts'
import { LOST_OUTPOINT, type SatPoint, UNBOUND_OUTPOINT } from './satpoint.ts'

export interface OrdInscription {
  id: InscriptionId
  /** Negative for the cursed ones from before the jubilee. */
  number: number
  /** Which one of all, cursed or not, in the order of numbering, from 0. */
  sequence: number
  height: number
  /** Unix seconds of its block. */
  timestamp: number
  /** Sats: its share of the fee of the transaction that revealed it. */
  fee: bigint
  fields: EnvelopeFields
  delegate: InscriptionId | null
  parents: readonly InscriptionId[]
  children: readonly InscriptionId[]
  /** Named after the jubilee too, where it costs no number. */
  curse: Curse | null
  charms: readonly Charm[]
  satpoint: SatPoint
}

/** Those of ord's charms that need no sat numbers, in the order in which ord lists them. */
export type Charm = 'reinscription' | 'cursed' | 'unbound' | 'lost' | 'vindicated' | 'burned'

export interface OrdCounts {
  blessed: number
  cursed: number
  unbound: number
  lostSats: bigint
}

interface Entry extends Omit<OrdInscription, 'charms' | 'children'>, Reveal {
  burned: boolean
  lost: boolean
}

/**
 * The regtest network's. ord itself counts with mainnet's 210,000 on every network, so on a regtest chain of more than 149
 * blocks it takes inscriptions that were spent as fees for lost.
 */
const HALVING_INTERVAL = 150
const FIRST_SUBSIDY = 5_000_000_000n

/** The inscriptions of a chain, numbered and followed from block to block; adds and spends the blocks' outputs in `outputs`. */
export function createInscriptionLedger(outputs: OutputSet, jubileeHeight: number) {
  const entries = new Map<InscriptionId, Entry>()
  const numbers = new Map<number, InscriptionId>()
  const sequences = new Map<number, InscriptionId>()
  const revealed = new Map<number, readonly InscriptionId[]>()
  const children = new Map<InscriptionId, readonly InscriptionId[]>()
  let counts: OrdCounts = { blessed: 0, cursed: 0, unbound: 0, lostSats: 0n }

  /** Returns what the block's transactions reveal and move, in order, without the coinbase, which gets what is in the fees. */
  function connect({ height, time, transactions }: OrdBlock, journal: Journal): Passage[] {
    const [coinbase, ...others] = transactions
    if (!coinbase?.tx.isCoinbase()) throw new Error(`ord index: block ${height} has no coinbase`)
    const before = { ...counts }
    journal.onRevert(() => {
      counts = before
    })
    let reward = FIRST_SUBSIDY >> BigInt(Math.floor(height / HALVING_INTERVAL))
    const inFees: Flotsam[] = []
    const passages: Passage[] = []

    for (const { txid, tx } of others) {
      const prevouts = tx.ins.map(input => outputs.spend(spentOutpoint(input), journal))
      const paid = sumValues(tx.outs)
      const { settled, left } = settle(txid, tx, gatherFlotsam(txid, tx, prevouts, wasCursed))
      for (const { piece, script } of settled) passages.push({ ...piece, script })
      for (const piece of left) {
        passages.push({ ...piece, script: null })
        inFees.push({ ...piece, offset: reward + piece.offset - paid })
      }
      reward += sumValues(prevouts) - paid
    }
    const claimed = sumValues(coinbase.tx.outs)
    for (const piece of settle(coinbase.txid, coinbase.tx, inFees).left) {
      const offset = counts.lostSats + piece.offset - claimed
      moveTo(piece, { outpoint: LOST_OUTPOINT, offset }, false)
    }
    counts.lostSats += reward - claimed
    const { blessed, cursed } = counts
    const first = before.blessed + before.cursed
    const made = Array.from({ length: blessed + cursed - first }, (_, i) =>
      sequences.get(first + i),
    )
    if (made.length > 0) {
      journal.set(
        revealed,
        height,
        made.filter(id => id !== undefined),
      )
    }
    return passages

    /** Adds the outputs with what falls into them. */
    function settle(txid: string, tx: Transaction, flotsam: readonly Flotsam[]) {
      for (const [vout, output] of tx.outs.entries()) {
        outputs.add(`${txid}:${vout}`, output, height, journal)
      }
      const { settled, left } = settleFlotsam(flotsam, tx.outs)
      const scripts = settled.map(({ piece, vout, offset }) => {
        const script = tx.outs[vout]?.script ?? new Uint8Array()
        const burned = classifyScript(script) === 'op_return'
        moveTo(piece, { outpoint: `${txid}:${vout}`, offset }, burned)
        return { piece, script }
      })
      return { settled: scripts, left }
    }

    function moveTo(piece: Flotsam, place: SatPoint, burned: boolean): void {
      const entry = piece.reveal ? addEntry(piece.id, piece.reveal, place) : entries.get(piece.id)
      if (!entry) throw new Error(`ord index: ${piece.id} moves but was never revealed`)
      const satpoint = entry.unbound ? entry.satpoint : place
      journal.set(entries, piece.id, { ...entry, satpoint, burned })
      const output = outputs.get(satpoint.outpoint)
      if (!output) return
      const inscriptions = [...output.inscriptions, { id: piece.id, offset: place.offset }]
      inscriptions.sort((a, b) => sequenceOf(a.id) - sequenceOf(b.id))
      outputs.inscribe(satpoint.outpoint, inscriptions, journal)
    }

    function addEntry(id: InscriptionId, reveal: Reveal, place: SatPoint): Entry {
      const sequence = counts.blessed + counts.cursed
      const number =
        reveal.curse && height < jubileeHeight ? -1 - counts.cursed++ : counts.blessed++
      const satpoint = reveal.unbound
        ? { outpoint: UNBOUND_OUTPOINT, offset: BigInt(counts.unbound++) }
        : place
      journal.set(numbers, number, id)
      journal.set(sequences, sequence, id)
      for (const parent of reveal.parents) {
        journal.set(children, parent, [...(children.get(parent) ?? []), id])
      }
      const lost = place.outpoint === LOST_OUTPOINT
      const made = { id, number, sequence, height, timestamp: time }
      return { ...reveal, ...made, satpoint, lost, burned: false }
    }
  }

  function wasCursed(id: InscriptionId): boolean {
    return (entries.get(id)?.curse ?? null) !== null
  }

  function sequenceOf(id: InscriptionId): number {
    return entries.get(id)?.sequence ?? 0
  }

  return {
    connect,
    /** By id, or by number. */
    inscription(key: InscriptionId | number): OrdInscription | undefined {
      const id = typeof key === 'number' ? numbers.get(key) : key
      const entry = id === undefined ? undefined : entries.get(id)
      if (!entry) return undefined
      const { reinscription, unbound, burned, lost, ...facts } = entry
      return { ...facts, charms: listCharms(entry), children: children.get(entry.id) ?? [] }
    },
    idAt: (sequence: number): InscriptionId | undefined => sequences.get(sequence),
    /** Ids of a block, in the order of numbering. */
    revealedAt: (height: number): readonly InscriptionId[] => revealed.get(height) ?? [],
    counts: (): OrdCounts => ({ ...counts }),
  }
}

function listCharms(entry: Entry): Charm[] {
  const { curse, number, satpoint } = entry
  const held: Record<Charm, boolean> = {
    reinscription: entry.reinscription,
    cursed: number < 0,
    unbound: entry.unbound,
    lost: entry.lost || satpoint.outpoint === LOST_OUTPOINT,
    vindicated: curse !== null && number >= 0,
    burned: entry.burned,
  }
  const charms: Charm[] = ['reinscription', 'cursed', 'unbound', 'lost', 'vindicated', 'burned']
  return charms.filter(charm => held[charm])
}

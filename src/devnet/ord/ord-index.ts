import { Transaction } from 'bitcoinjs-lib'
import type { EnvelopeFields } from '../../ordinals/envelope.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import { classifyScript } from '../script.ts'
import { spentOutpoint, sumValues } from '../transaction-record.ts'
import type { Curse } from './curse.ts'
import { type Flotsam, gatherFlotsam, type Reveal, settleFlotsam } from './flotsam.ts'
import { createJournal, type Journal } from './journal.ts'

/** Where ord keeps what miners did not claim; offsets count all sats that were ever lost. */
export const LOST_OUTPOINT = `${'00'.repeat(32)}:4294967295`
/** Where ord keeps inscriptions without a sat; offsets count them. */
export const UNBOUND_OUTPOINT = `${'00'.repeat(32)}:0`

export interface OrdBlock {
  height: number
  /** Unix seconds, of the header. */
  time: number
  /** Raw, with witnesses, the coinbase first. */
  transactions: readonly Uint8Array[]
}

export interface SatPoint {
  /** `txid:vout`. */
  outpoint: string
  /** Sats before it in the output. */
  offset: bigint
}

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

export interface OrdOutput {
  /** Sats. */
  value: bigint
  scriptPubKey: Uint8Array
  spent: boolean
  /** In the order in which they were numbered; none once it is spent. */
  inscriptions: readonly { id: InscriptionId; offset: bigint }[]
}

export interface OrdCounts {
  blessed: number
  cursed: number
  unbound: number
  lostSats: bigint
}

/** Inscriptions of a chain as ord 0.27 sees them: confirmed blocks alone, satpoints by value offsets, without sat numbers. */
export interface OrdIndex {
  /** Of the last block; -1 before the genesis block. */
  height(): number
  /** Appends a block; throws, and stays as it was, when it does not follow the last one or spends what is not there. */
  applyBlock(block: OrdBlock): void
  /** Takes the last block off; throws when there is none. */
  undoBlock(): void
  /** By id, or by number. */
  inscription(key: InscriptionId | number): OrdInscription | undefined
  /** By `txid:vout`; spent outputs stay known. */
  output(outpoint: string): OrdOutput | undefined
  counts(): OrdCounts
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

/** `jubileeHeight`: from which block on curses cost no number; 110 on regtest. */
export function createOrdIndex({ jubileeHeight }: { jubileeHeight: number }): OrdIndex {
  const outputs = new Map<string, OrdOutput>()
  const entries = new Map<InscriptionId, Entry>()
  const numbers = new Map<number, InscriptionId>()
  const children = new Map<InscriptionId, readonly InscriptionId[]>()
  const blocks: { journal: Journal; before: OrdCounts }[] = []
  let counts: OrdCounts = { blessed: 0, cursed: 0, unbound: 0, lostSats: 0n }

  function connect({ height, time, transactions }: OrdBlock, journal: Journal): void {
    const [coinbase, ...others] = transactions.map(bytes => Transaction.fromBuffer(bytes))
    if (!coinbase?.isCoinbase()) throw new Error(`ord index: block ${height} has no coinbase`)
    let reward = FIRST_SUBSIDY >> BigInt(Math.floor(height / HALVING_INTERVAL))
    const inFees: Flotsam[] = []

    for (const tx of others) {
      const prevouts = tx.ins.map(input => spend(spentOutpoint(input)))
      const paid = sumValues(tx.outs)
      for (const piece of settle(tx, gatherFlotsam(tx, prevouts, wasCursed))) {
        inFees.push({ ...piece, offset: reward + piece.offset - paid })
      }
      reward += sumValues(prevouts) - paid
    }
    const claimed = sumValues(coinbase.outs)
    for (const piece of settle(coinbase, inFees)) {
      const offset = counts.lostSats + piece.offset - claimed
      moveTo(piece, { outpoint: LOST_OUTPOINT, offset }, false)
    }
    counts.lostSats += reward - claimed

    function spend(outpoint: string): OrdOutput {
      const output = outputs.get(outpoint)
      if (!output || output.spent) throw new Error(`ord index: ${outpoint} is not there to spend`)
      journal.set(outputs, outpoint, { ...output, spent: true, inscriptions: [] })
      return output
    }

    /** Adds the outputs with what falls into them; returns the rest. */
    function settle(tx: Transaction, flotsam: readonly Flotsam[]): Flotsam[] {
      const txid = tx.getId()
      for (const [vout, { value, script }] of tx.outs.entries()) {
        const output = { value, scriptPubKey: script, spent: false, inscriptions: [] }
        journal.set(outputs, `${txid}:${vout}`, output)
      }
      const { settled, left } = settleFlotsam(flotsam, tx.outs)
      for (const { piece, vout, offset } of settled) {
        const script = tx.outs[vout]?.script ?? new Uint8Array()
        const burned = classifyScript(script) === 'op_return'
        moveTo(piece, { outpoint: `${txid}:${vout}`, offset }, burned)
      }
      return left
    }

    function moveTo(piece: Flotsam, place: SatPoint, burned: boolean): void {
      const entry = piece.reveal ? addEntry(piece.id, piece.reveal, place) : entries.get(piece.id)
      if (!entry) throw new Error(`ord index: ${piece.id} moves but was never revealed`)
      const satpoint = entry.unbound ? entry.satpoint : place
      journal.set(entries, piece.id, { ...entry, satpoint, burned })
      const output = outputs.get(satpoint.outpoint)
      if (!output) return
      const inscriptions = [...output.inscriptions, { id: piece.id, offset: place.offset }]
      journal.set(outputs, place.outpoint, {
        ...output,
        inscriptions: inscriptions.sort((a, b) => sequenceOf(a.id) - sequenceOf(b.id)),
      })
    }

    function addEntry(id: InscriptionId, reveal: Reveal, place: SatPoint): Entry {
      const sequence = counts.blessed + counts.cursed
      const number =
        reveal.curse && height < jubileeHeight ? -1 - counts.cursed++ : counts.blessed++
      const satpoint = reveal.unbound
        ? { outpoint: UNBOUND_OUTPOINT, offset: BigInt(counts.unbound++) }
        : place
      journal.set(numbers, number, id)
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
    height: () => blocks.length - 1,
    applyBlock(block) {
      if (block.height !== blocks.length) {
        throw new Error(`ord index: block ${block.height} does not follow ${blocks.length - 1}`)
      }
      const journal = createJournal()
      const before = { ...counts }
      try {
        connect(block, journal)
      } catch (error) {
        journal.revert()
        counts = before
        throw error
      }
      blocks.push({ journal, before })
    },
    undoBlock() {
      const last = blocks.pop()
      if (!last) throw new Error('ord index: there is no block to undo')
      last.journal.revert()
      counts = last.before
    },
    inscription(key) {
      const id = typeof key === 'number' ? numbers.get(key) : key
      const entry = id === undefined ? undefined : entries.get(id)
      if (!entry) return undefined
      const { reinscription, unbound, burned, lost, ...facts } = entry
      return {
        ...facts,
        charms: listCharms(entry),
        children: children.get(entry.id) ?? [],
      }
    },
    output: outpoint => outputs.get(outpoint),
    counts: () => ({ ...counts }),
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

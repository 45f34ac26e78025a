import type { Transaction } from 'bitcoinjs-lib'
import { equalBytes } from '../../../bitcoin/bytes.ts'
import { parseScript } from '../../../bitcoin/script.ts'
import type { RuneId } from '../../../ordinals/rune-id.ts'
import { decipherRunestone, type Runestone } from '../../../ordinals/runes/runestone.ts'
import type { Journal } from '../../chain/journal.ts'
import { classifyScript } from '../../chain/script.ts'
import { spentOutpoint } from '../../chain/transaction-record.ts'
import type { OrdBlock, OutputSet } from '../inscriptions/output-set.ts'
import { addTo, allocateRunes, type Holdings } from './rune-allocation.ts'
import { describeEtching, mintableAmount, type RuneEntry } from './rune-entry.ts'
import {
  isReserved,
  minimumName,
  nameCommitment,
  type RuneNumber,
  reserveName,
} from './rune-name.ts'

/** An amount on an output, in the rune's smallest unit. */
export interface RunePile {
  entry: RuneEntry
  amount: bigint
}

const COMMIT_CONFIRMATIONS = 6
const ANNEX_PREFIX = 0x50

/** The runes of a chain by the rules of ord's `rune_updater.rs`; `outputs` must have got the block's outputs before. */
export function createRuneLedger(outputs: OutputSet) {
  const entries = new Map<RuneId, RuneEntry>()
  const ids = new Map<RuneNumber, RuneId>()
  const numbers = new Map<number, RuneId>()
  const etchings = new Map<string, RuneId>()
  const balances = new Map<string, Holdings>()

  function connect({ height, time, transactions }: OrdBlock, journal: Journal): void {
    const burnedInBlock: Holdings = new Map()
    for (const [position, { txid, tx }] of transactions.entries()) {
      const unallocated = takeInputs(tx)
      const scripts = tx.outs.map(({ script }) => script)
      const runestone = decipherRunestone(scripts)
      if (runestone.kind === 'none' && unallocated.size === 0) continue
      if (runestone.kind !== 'none' && runestone.mint !== null) mint(runestone.mint, unallocated)
      const etched = etchedName(runestone, tx, position)
      const id = etched === null ? null : `${height}:${position}`
      const made = describeEtching(runestone)
      if (id !== null) unallocated.set(id, made.premine)
      const { received, burned } = allocateRunes(runestone, unallocated, scripts, id)
      if (etched !== null && id !== null) {
        const number = entries.size
        const facts = { id, number, rune: etched, etching: txid, block: height, timestamp: time }
        journal.set(entries, id, { ...made, ...facts })
        journal.set(ids, etched, id)
        journal.set(numbers, number, id)
        journal.set(etchings, txid, id)
      }
      for (const [vout, holdings] of received.entries()) {
        if (holdings.size > 0) journal.set(balances, `${txid}:${vout}`, holdings)
      }
      for (const [rune, amount] of burned) addTo(burnedInBlock, rune, amount)
    }
    for (const [id, amount] of burnedInBlock) {
      const entry = entries.get(id)
      if (entry) journal.set(entries, id, { ...entry, burned: entry.burned + amount })
    }

    function takeInputs(tx: Transaction): Holdings {
      const taken: Holdings = new Map()
      for (const input of tx.ins) {
        const outpoint = spentOutpoint(input)
        const holdings = balances.get(outpoint)
        if (!holdings) continue
        for (const [rune, amount] of holdings) addTo(taken, rune, amount)
        journal.delete(balances, outpoint)
      }
      return taken
    }

    function mint(id: RuneId, unallocated: Holdings): void {
      const entry = entries.get(id)
      const amount = entry ? mintableAmount(entry, height) : null
      if (!entry || amount === null) return
      journal.set(entries, id, { ...entry, mints: entry.mints + 1n })
      addTo(unallocated, id, amount)
    }

    /** The name that a transaction etches, its own or a reserved one; null where it etches none. */
    function etchedName(
      runestone: Runestone,
      tx: Transaction,
      position: number,
    ): RuneNumber | null {
      if (runestone.kind === 'none' || runestone.etching === null) return null
      const { etching } = runestone
      const rune = typeof etching === 'bigint' ? etching : etching.rune
      if (rune === null) return reserveName(height, position)
      const isFree = rune >= minimumName(height) && !isReserved(rune) && !ids.has(rune)
      return isFree && commitsTo(tx, rune) ? rune : null
    }

    /** Whether an input reveals a push of the name in a taproot output that is old enough. */
    function commitsTo(tx: Transaction, rune: RuneNumber): boolean {
      const commitment = nameCommitment(rune)
      return tx.ins.some(input => {
        const { witness } = input
        const hasAnnex = witness.length > 1 && witness.at(-1)?.[0] === ANNEX_PREFIX
        const pushes = parseScript(witness.at(hasAnnex ? -3 : -2) ?? new Uint8Array()) ?? []
        if (!pushes.some(({ data }) => data && equalBytes(data, commitment))) return false
        const prevout = outputs.get(spentOutpoint(input))
        if (!prevout || classifyScript(prevout.scriptPubKey) !== 'v1_p2tr') return false
        return height - prevout.height + 1 >= COMMIT_CONFIRMATIONS
      })
    }
  }

  return {
    connect,
    /** By id (`block:tx`), name or number. */
    rune(key: { id: RuneId } | { rune: RuneNumber } | { number: number }): RuneEntry | undefined {
      if ('id' in key) return entries.get(key.id)
      const id = 'rune' in key ? ids.get(key.rune) : numbers.get(key.number)
      return id === undefined ? undefined : entries.get(id)
    },
    /** What a transaction etched. */
    etchedBy(txid: string): RuneEntry | undefined {
      const id = etchings.get(txid)
      return id === undefined ? undefined : entries.get(id)
    },
    /** The runes on an unspent output, in the order of the runes' names. */
    piles(outpoint: string): RunePile[] {
      return [...(balances.get(outpoint) ?? [])]
        .flatMap(([id, amount]) => {
          const entry = entries.get(id)
          return entry ? [{ entry, amount }] : []
        })
        .sort((a, b) => (a.entry.rune < b.entry.rune ? -1 : 1))
    },
    count: () => entries.size,
  }
}

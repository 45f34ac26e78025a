// ord: ord's index and server for regtest, and what inscribes and etches. It shares codecs with `src/ordinals`,
// and no rule of where assets go.

import { createJournal, type Journal } from '../chain/journal.ts'
import { createBrc20Ledger } from './brc20/brc20-ledger.ts'
import { createInscriptionLedger } from './inscriptions/inscription-ledger.ts'
import { createOutputSet, type OrdBlock } from './inscriptions/output-set.ts'
import { createRuneLedger } from './runes/rune-ledger.ts'
import { createSatLedger } from './sat-ledger.ts'

export type OrdIndex = ReturnType<typeof createOrdIndex>

/**
 * Inscriptions and runes of a chain as ord 0.27 sees them, and BRC-20 on top: confirmed blocks alone, satpoints by value
 * offsets. `jubileeHeight`: from which block on curses cost no number; 110 on regtest. With `indexSats` it keeps the numbers of
 * the sats on outputs too, as ord does with `--index-sats`.
 */
export function createOrdIndex({
  jubileeHeight,
  indexSats = false,
}: {
  jubileeHeight: number
  indexSats?: boolean
}) {
  const outputs = createOutputSet()
  const inscriptions = createInscriptionLedger(outputs, jubileeHeight)
  const runes = createRuneLedger(outputs)
  const brc20 = createBrc20Ledger()
  const sats = indexSats ? createSatLedger() : null
  const journals: Journal[] = []

  return {
    /** Of the last block; -1 before the genesis block. */
    height: () => journals.length - 1,
    /** Appends a block; throws, and stays as it was, when it does not follow the last one or spends what is not there. */
    applyBlock(block: OrdBlock): void {
      if (block.height !== journals.length) {
        throw new Error(`ord index: block ${block.height} does not follow ${journals.length - 1}`)
      }
      const journal = createJournal()
      try {
        const passages = inscriptions.connect(block, journal)
        runes.connect(block, journal)
        brc20.connect(block.height, passages, journal)
        sats?.connect(block, journal)
      } catch (error) {
        journal.revert()
        throw error
      }
      journals.push(journal)
    },
    /** Takes the last block off; throws when there is none. */
    undoBlock(): void {
      const last = journals.pop()
      if (!last) throw new Error('ord index: there is no block to undo')
      last.revert()
    },
    /** By id, or by number. */
    inscription: inscriptions.inscription,
    /** By its place in the order of numbering, from 0. */
    idAt: inscriptions.idAt,
    revealedAt: inscriptions.revealedAt,
    /** By `txid:vout`; spent outputs stay known. */
    output: outputs.get,
    unspentOf: outputs.unspentOf,
    counts: inscriptions.counts,
    rune: runes.rune,
    etchedBy: runes.etchedBy,
    piles: runes.piles,
    runeCount: runes.count,
    brc20,
    hasSats: sats !== null,
    /** The numbers of the sats on an unspent output, in their order; null where they are not kept, or it is not there. */
    satRanges: (outpoint: string) => sats?.rangesOf(outpoint) ?? null,
  }
}

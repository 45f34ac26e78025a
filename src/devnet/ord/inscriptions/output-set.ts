import type { Transaction, TxOutput } from 'bitcoinjs-lib'
import type { InscriptionId } from '../../../ordinals/inscription-id.ts'
import { toHex } from '../../chain/hex.ts'
import type { Journal } from '../../chain/journal.ts'

/** A block as the ledgers of inscriptions and runes take it. */
export interface OrdBlock {
  height: number
  /** Unix seconds, of the header. */
  time: number
  /** The coinbase first. */
  transactions: readonly { txid: string; tx: Transaction }[]
}

export interface OrdOutput {
  /** Sats. */
  value: bigint
  scriptPubKey: Uint8Array
  /** Of the block that made it. */
  height: number
  spent: boolean
  /** In the order in which they were numbered; none once it is spent. */
  inscriptions: readonly { id: InscriptionId; offset: bigint }[]
}

export type OutputSet = ReturnType<typeof createOutputSet>

/** Every output of a chain by its outpoint; what spends one leaves it known. */
export function createOutputSet() {
  const outputs = new Map<string, OrdOutput>()
  const unspentOf = new Map<string, Set<string>>()

  function unspentAt(script: Uint8Array): Set<string> {
    const key = toHex(script)
    const known = unspentOf.get(key)
    if (known) return known
    const made = new Set<string>()
    unspentOf.set(key, made)
    return made
  }

  return {
    get: (outpoint: string): OrdOutput | undefined => outputs.get(outpoint),
    /** Outpoints of what pays a script and is not spent, in no order. */
    unspentOf: (script: Uint8Array): string[] => [...(unspentOf.get(toHex(script)) ?? [])],
    add(outpoint: string, { value, script }: TxOutput, height: number, journal: Journal): void {
      const unspent = unspentAt(script)
      unspent.add(outpoint)
      journal.onRevert(() => unspent.delete(outpoint))
      const output = { value, scriptPubKey: script, height, spent: false, inscriptions: [] }
      journal.set(outputs, outpoint, output)
    },
    /** What was spent; throws when it is not there. */
    spend(outpoint: string, journal: Journal): OrdOutput {
      const output = outputs.get(outpoint)
      if (!output || output.spent) throw new Error(`ord index: ${outpoint} is not there to spend`)
      const unspent = unspentAt(output.scriptPubKey)
      unspent.delete(outpoint)
      journal.onRevert(() => unspent.add(outpoint))
      journal.set(outputs, outpoint, { ...output, spent: true, inscriptions: [] })
      return output
    },
    inscribe(outpoint: string, inscriptions: OrdOutput['inscriptions'], journal: Journal): void {
      const output = outputs.get(outpoint)
      if (!output) throw new Error(`ord index: ${outpoint} is not there to inscribe`)
      journal.set(outputs, outpoint, { ...output, inscriptions })
    },
  }
}

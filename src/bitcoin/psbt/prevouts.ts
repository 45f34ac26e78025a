import { typeOfScript } from '../address.ts'
import type { Outpoint } from '../outpoint.ts'
import { parsePrevious, provePrevout } from '../previous-output.ts'
import type { ParsedTransaction, TransactionOutput } from '../transaction.ts'
import type { Psbt } from './psbt.ts'

/** What an input spends: `proven` by the transaction that made it, or only `claimed` by the PSBT. */
export type Prevout = TransactionOutput & { proof: 'proven' | 'claimed' }

const NO_TXID = '00'.repeat(32)

/** Whether this is a place that marketplaces keep for an input to come: its txid is zero. */
export function isPlaceholder({ txid }: Outpoint): boolean {
  return txid === NO_TXID
}

/**
 * The txids of previous transactions that are not in the PSBT and would prove something. Where every input claims to spend
 * taproot none would: all signatures of ours cover all that is claimed (BIP-341).
 */
export function listUnproven(psbt: Psbt): string[] {
  if (psbt.inputs.every(({ witnessUtxo }) => witnessUtxo && isTaproot(witnessUtxo))) return []
  return listMissing(psbt)
}

/** The txids of all previous transactions that are not in the PSBT. */
export function listMissing(psbt: Psbt): string[] {
  const txids = psbt.inputs.flatMap(input =>
    input.nonWitnessUtxo || isPlaceholder(input) ? [] : input.txid,
  )
  return [...new Set(txids)]
}

/**
 * What each input spends; null where nothing is known. `previous` are raw transactions by txid, for inputs that bring
 * none. Throws UnverifiedInputError where the PSBT and a previous transaction contradict each other.
 */
export function readPrevouts(
  psbt: Psbt,
  previous: ReadonlyMap<string, Uint8Array>,
): readonly (Prevout | null)[] {
  const parsed = new Map<Uint8Array, ParsedTransaction>()
  const parseOnce = (outpoint: Outpoint, raw: Uint8Array) => {
    const known = parsed.get(raw) ?? parsePrevious(outpoint, raw)
    parsed.set(raw, known)
    return known
  }
  return psbt.inputs.map(input => {
    const { nonWitnessUtxo, witnessUtxo } = input
    const raw = nonWitnessUtxo ?? previous.get(input.txid)
    if (raw) return { ...provePrevout(input, parseOnce(input, raw), witnessUtxo), proof: 'proven' }
    return witnessUtxo && { ...witnessUtxo, proof: 'claimed' }
  })
}

/** Whether signatures for this output cover the amounts and scripts of what is spent (BIP-341). */
export function isTaproot({ scriptPubKey }: TransactionOutput): boolean {
  return typeOfScript(scriptPubKey) === 'p2tr'
}

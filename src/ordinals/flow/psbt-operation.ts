import { typeOfScript } from '../../bitcoin/address.ts'
import type { PsbtInput } from '../../bitcoin/psbt/psbt.ts'
import { provenRedeemScript } from '../../bitcoin/psbt/txid.ts'
import { type AtomicalOperation, parseAtomicalOperation } from '../atomicals/atomical-envelope.ts'
import type { TracedOperation } from './asset-flow.ts'

/** What is certain of an input, whichever witness it gets. */
export type WitnessSource = {
  /** Null where it is not certain what is spent. */
  scriptPubKey: Uint8Array | null
  redeemScript: Uint8Array | null
  /** An address of this wallet: its key signs alone, and brings no script. */
  own: boolean
  /** The script of the one leaf that others have to take, by findOnlyLeaf. */
  onlyLeaf: Uint8Array | null
}

/**
 * What the witnesses of a transaction say to Atomicals. No signature covers the witness of another input, so an
 * input of others whose script may carry an envelope leaves it unknown, also where it is final: its owner can replace it.
 */
export function foreseeOperation(inputs: readonly WitnessSource[]): TracedOperation {
  if (inputs.some(mayBringEnvelope)) return 'unknown'
  return parseAtomicalOperation(
    inputs.map(({ own, onlyLeaf }) => (own || onlyLeaf === null ? [] : [onlyLeaf])),
  )
}

/** The same as the PSBT proposes it: by the final witnesses, and the leaves of inputs that are not ours. */
export function proposedOperation(
  inputs: readonly Pick<PsbtInput, 'finalScriptWitness' | 'tapLeafScripts' | 'witnessScript'>[],
  isOwn: (input: number) => boolean,
): AtomicalOperation | null {
  return parseAtomicalOperation(
    inputs.map(({ finalScriptWitness, tapLeafScripts, witnessScript }, input) => {
      if (isOwn(input)) return []
      const leaves = tapLeafScripts.map(({ script }) => script)
      return finalScriptWitness ?? (witnessScript ? [...leaves, witnessScript] : leaves)
    }),
  )
}

/** A witness of P2WPKH is a signature and a key; one of P2TR or P2WSH is whatever its owner makes it. */
function mayBringEnvelope({ scriptPubKey, redeemScript, own, onlyLeaf }: WitnessSource): boolean {
  if (scriptPubKey === null) return true
  if (own || onlyLeaf !== null) return false
  const type = typeOfScript(scriptPubKey)
  if (type === 'p2wpkh' || type === 'p2pkh') return false
  if (type !== 'p2sh') return true
  // Without its script a nested one may be P2WSH.
  const redeemer = provenRedeemScript({ redeemScript }, scriptPubKey)
  return !redeemer || typeOfScript(redeemer) !== 'p2wpkh'
}

import { typeOfScript } from '../bitcoin/address.ts'
import type { Psbt, PsbtInput } from '../bitcoin/psbt.ts'
import { provenRedeemScript } from '../bitcoin/psbt-txid.ts'
import type { TracedOperation } from './asset-flow.ts'
import { readAtomicalOperation } from './atomical-envelope.ts'

/** What is known of an input's prevout, and whether the wallet's own key signs it. */
export type SignedPrevout = { scriptPubKey: Uint8Array | null; own: boolean }

/**
 * What the witnesses of a PSBT say to Atomicals, as far as they are there or named as leaves. No signature covers a witness:
 * an input of somebody else that is not final, and whose script may bring an envelope along, leaves it untold.
 */
export function foreseeOperation(psbt: Psbt, prevouts: readonly SignedPrevout[]): TracedOperation {
  const witnesses = psbt.inputs.map(input => input.finalScriptWitness ?? leavesOf(input))
  const isOpen = psbt.inputs.some((input, index) => {
    const { scriptPubKey, own } = prevouts[index] ?? { scriptPubKey: null, own: false }
    return !own && !isFinal(input) && mayBringEnvelope(input, scriptPubKey)
  })
  return isOpen ? 'untold' : readAtomicalOperation(witnesses)
}

/** A leaf stands for the witness that will carry it. */
function leavesOf({ tapLeafScripts, witnessScript }: PsbtInput): Uint8Array[] {
  return [...tapLeafScripts.map(({ script }) => script), ...(witnessScript ? [witnessScript] : [])]
}

function isFinal({ finalScriptSig, finalScriptWitness }: PsbtInput): boolean {
  return finalScriptSig !== null || finalScriptWitness !== null
}

/** A witness of P2WPKH is a signature and a key; one of P2TR or P2WSH is whatever its owner makes it. */
function mayBringEnvelope(input: PsbtInput, scriptPubKey: Uint8Array | null): boolean {
  const type = scriptPubKey && typeOfScript(scriptPubKey)
  if (type === 'p2wpkh' || type === 'p2pkh') return false
  if (type !== 'p2sh') return true
  // Without its script a nested one may be P2WSH.
  const redeemScript = provenRedeemScript(input, scriptPubKey ?? new Uint8Array())
  return !redeemScript || typeOfScript(redeemScript) !== 'p2wpkh'
}

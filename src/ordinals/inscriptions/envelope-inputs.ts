import { isWitnessProgram, typeOfScript } from '../../bitcoin/address.ts'
import { parseScript } from '../../bitcoin/script.ts'

/**
 * Whether the witness of an input can hold an envelope, by what a txid covers: the output that is spent and the scriptSig.
 * By consensus (BIP-141) only witness programs have a witness, and that of P2WPKH is a signature and its key: one whose
 * signature reads as an envelope, an empty one, takes some 2^50 tries.
 */
export function mayHoldEnvelope(scriptPubKey: Uint8Array, scriptSig: Uint8Array): boolean {
  if (typeOfScript(scriptPubKey) !== 'p2sh') return mayProgramHoldEnvelope(scriptPubKey)
  const operations = parseScript(scriptSig)
  if (operations === null) return true
  const redeemScript = operations.at(-1)?.data
  return !!redeemScript && mayProgramHoldEnvelope(redeemScript)
}

function mayProgramHoldEnvelope(script: Uint8Array): boolean {
  return isWitnessProgram(script) && typeOfScript(script) !== 'p2wpkh'
}

import { hash160 } from 'bitcoinjs-lib/src/crypto'
import { typeOfScript } from './address.ts'
import { concatBytes, equalBytes } from './bytes.ts'
import { type Psbt, type PsbtInput, unsignedTransaction } from './psbt.ts'
import type { TransactionOutput } from './transaction.ts'

/** The txid (hex) that the transaction will have; null while scriptSigs that nobody knows yet are part of it. */
export function txidOnceSigned(
  psbt: Psbt,
  prevouts: readonly (TransactionOutput | null)[],
): string | null {
  const scriptSigs = psbt.inputs.map((input, index) => {
    const script = prevouts[index]?.scriptPubKey
    return script ? knownScriptSig(input, script) : input.finalScriptSig
  })
  return scriptSigs.includes(null) ? null : withScriptSigs(psbt, scriptSigs).getId()
}

/**
 * The transaction as children in the same batch name it: with the scriptSigs that it has, or that nested segwit is bound
 * to have. Another one than the final transaction where legacy inputs are open; then no child's outpoint is its txid.
 */
export function foreseeTransaction(psbt: Psbt): { txid: string; raw: Uint8Array } {
  const transaction = withScriptSigs(
    psbt,
    psbt.inputs.map(input => input.finalScriptSig ?? nestedScriptSig(input)),
  )
  return { txid: transaction.getId(), raw: transaction.toBuffer() }
}

function withScriptSigs(psbt: Psbt, scriptSigs: readonly (Uint8Array | null)[]) {
  const transaction = unsignedTransaction(psbt)
  for (const [index, scriptSig] of scriptSigs.entries()) {
    if (scriptSig) transaction.setInputScript(index, scriptSig)
  }
  return transaction
}

function knownScriptSig(input: PsbtInput, scriptPubKey: Uint8Array): Uint8Array | null {
  if (input.finalScriptSig) return input.finalScriptSig
  switch (typeOfScript(scriptPubKey)) {
    case 'p2tr':
    case 'p2wpkh':
    case 'p2wsh':
      return new Uint8Array()
    case 'p2sh':
      return provenRedeemScript(input, scriptPubKey) && nestedScriptSig(input)
    default:
      return null
  }
}

/** The redeem script that a P2SH output commits to; null where the PSBT tells none, or another one. */
export function provenRedeemScript(
  { redeemScript }: PsbtInput,
  scriptPubKey: Uint8Array,
): Uint8Array | null {
  const isIts = redeemScript && equalBytes(hash160(redeemScript), scriptPubKey.slice(2, 22))
  return isIts ? redeemScript : null
}

/** BIP-141: P2SH of a witness program has exactly the push of the program as scriptSig. */
function nestedScriptSig({ redeemScript }: PsbtInput): Uint8Array | null {
  const type = redeemScript && typeOfScript(redeemScript)
  if (!redeemScript || (type !== 'p2wpkh' && type !== 'p2wsh')) return null
  return concatBytes(Uint8Array.of(redeemScript.length), redeemScript)
}

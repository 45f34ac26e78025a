import { hash160 } from 'bitcoinjs-lib/src/crypto'
import { typeOfScript } from '../address.ts'
import { concatBytes, equalBytes } from '../bytes.ts'
import { type Psbt, type PsbtInput, unsignedTransaction } from './psbt.ts'

/**
 * The txid (hex) that the transaction will have once it is signed; `scriptPubKeys` are those of what is spent, null where
 * they are not certain. Null where a signer is free in what the scriptSig is.
 */
export function txidOnceSigned(
  psbt: Psbt,
  scriptPubKeys: readonly (Uint8Array | null)[],
): string | null {
  const scriptSigs = psbt.inputs.map((input, index) => {
    const script = scriptPubKeys[index]
    return script ? boundScriptSig(input, script) : null
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

/** The scriptSig that a segwit output demands; null where there are several. */
function boundScriptSig(input: PsbtInput, scriptPubKey: Uint8Array): Uint8Array | null {
  switch (typeOfScript(scriptPubKey)) {
    case 'p2tr':
    case 'p2wpkh':
    case 'p2wsh':
      return new Uint8Array()
    case 'p2sh': {
      // A final input says it in its scriptSig alone, behind the byte of the push.
      const redeemScript = input.redeemScript ?? input.finalScriptSig?.subarray(1) ?? null
      return provenRedeemScript({ redeemScript }, scriptPubKey) && nestedScriptSig({ redeemScript })
    }
    default:
      return null
  }
}

/** The redeem script that a P2SH output commits to; null where the PSBT has none, or another one. */
export function provenRedeemScript(
  { redeemScript }: Pick<PsbtInput, 'redeemScript'>,
  scriptPubKey: Uint8Array,
): Uint8Array | null {
  const isIts = redeemScript && equalBytes(hash160(redeemScript), scriptPubKey.slice(2, 22))
  return isIts ? redeemScript : null
}

/** BIP-141: P2SH of a witness program has exactly the push of the program as scriptSig. */
function nestedScriptSig({ redeemScript }: Pick<PsbtInput, 'redeemScript'>): Uint8Array | null {
  const type = redeemScript && typeOfScript(redeemScript)
  if (!redeemScript || (type !== 'p2wpkh' && type !== 'p2wsh')) return null
  return concatBytes(Uint8Array.of(redeemScript.length), redeemScript)
}

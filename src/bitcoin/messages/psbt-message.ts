import { equalBytes, fromHex } from '../bytes.ts'
import type { Psbt } from '../psbt/psbt.ts'
import { unsignedTransaction } from '../psbt/psbt.ts'
import { buildToSign, buildToSpend } from './message-bip322.ts'

/**
 * The text that signing this PSBT would sign as a message of the owner of `ownScript` (BIP-322); null for an ordinary PSBT.
 * `refused` has the form of such a message but does not say, in its field 0x09, the text that it is of: what is signed could
 * not be shown.
 */
export function parseMessage(psbt: Psbt, ownScript: Uint8Array): null | 'refused' | string {
  const [output, ...otherOutputs] = psbt.outputs
  // BIP-322: the one output of to_sign holds nothing and is a bare OP_RETURN.
  if (!output || otherOutputs.length > 0 || output.amount !== 0n) return null
  if (!equalBytes(output.scriptPubKey, fromHex('6a'))) return null
  if (psbt.genericSignedMessage === null) return 'refused'
  const toSign = buildToSign(buildToSpend(psbt.genericSignedMessage, ownScript))
  // BIP-322 also permits version 2; a time lock would make the signature valid only from a time on.
  if (psbt.transaction.version === 2) toSign.version = 2
  const transaction = unsignedTransaction(psbt)
  if (!equalBytes(transaction.toBuffer(), toSign.toBuffer())) return 'refused'
  return readText(psbt.genericSignedMessage) ?? 'refused'
}

/** Null for what is not UTF-8: it has no text that could be shown. */
function readText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

import { scriptPubKeyOf } from '../address.ts'
import { equalBytes, fromHex, toBase64, toUtf8 } from '../bytes.ts'
import { createPsbt } from '../psbt/create.ts'
import { encodeMaps } from '../psbt/maps.ts'
import type { Psbt } from '../psbt/psbt.ts'
import { parsePsbt, unsignedTransaction } from '../psbt/psbt.ts'
import type { SigningKey } from '../psbt/spend-method.ts'
import { assertHasSimple, type MessageType, MessageTypeError } from './message.ts'
import { buildToSign, buildToSpend, encodeWitness } from './message-bip322.ts'

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

/** BIP-322's global field with the text that is signed. */
const GENERIC_SIGNED_MESSAGE = 0x09

/**
 * What a signer that has the key is handed for a text (BIP-322): the PSBT of to_sign, which says the text, and the raw to_spend whose
 * output it spends.
 */
export function createMessagePsbt(
  text: string,
  { publicKey, addressType }: SigningKey,
): { psbt: Psbt; toSpend: { txid: string; raw: Uint8Array } } {
  const message = toUtf8(text)
  const toSpend = buildToSpend(message, scriptPubKeyOf(publicKey, addressType))
  const { maps } = createPsbt(buildToSign(toSpend))
  const entry = { key: Uint8Array.of(GENERIC_SIGNED_MESSAGE), value: message }
  const psbt = parsePsbt(encodeMaps({ ...maps, global: [...maps.global, entry] }))
  return { psbt, toSpend: { txid: toSpend.getId(), raw: toSpend.toBuffer() } }
}

/** Whether such a PSBT gives a signature of this type: simple, of a native segwit address. Throws {@link MessageTypeError} else. */
export function assertInPsbt(type: MessageType, { addressType }: Pick<SigningKey, 'addressType'>) {
  if (type === 'ecdsa') throw new MessageTypeError('ecdsa is no signature of a transaction')
  assertHasSimple(addressType)
  if (addressType === 'p2sh-p2wpkh')
    throw new MessageTypeError('a P2SH address is proven by another form than the simple one')
}

/** The signature of a type that {@link assertInPsbt} takes, of the witness that a signer made of to_sign's input. */
export function formatSimple(
  type: Exclude<MessageType, 'ecdsa'>,
  witness: readonly Uint8Array[],
): string {
  const simple = toBase64(encodeWitness(witness))
  return type === 'bip322' ? `smp${simple}` : simple
}

/** Null for what is not UTF-8: it has no text that could be shown. */
function readText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

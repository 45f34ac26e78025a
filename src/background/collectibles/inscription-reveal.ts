import { typeOfScript } from '../../bitcoin/address.ts'
import { equalBytes, joinBytes } from '../../bitcoin/bytes.ts'
import { isLeafOf } from '../../bitcoin/signing/taproot-leaf.ts'
import type { InscriptionContent } from '../../chain/asset-source.ts'
import { TransactionNotFoundError } from '../../chain/chain-source.ts'
import { type InscriptionId, parseInscriptionId } from '../../ordinals/inscription-id.ts'
import {
  type Envelope,
  parseEnvelopes,
  splitScriptPath,
} from '../../ordinals/inscriptions/envelope.ts'
import { mayHoldEnvelope } from '../../ordinals/inscriptions/envelope-inputs.ts'
import { type Inscription, parseInscription } from '../../ordinals/inscriptions/inscription.ts'
import type { RawTransaction, TransactionLookup } from './transaction-lookup.ts'

/** scriptPubKeys of addresses of which this wallet has the keys. */
type OwnScripts = readonly Uint8Array[]

/** An inscription as its reveal transaction carries it. */
export type RevealedInscription = {
  transaction: RawTransaction
  envelope: Envelope
  inscription: Inscription
  /**
   * Whether the outputs that are spent prove that the inscription of this id is this one. The txid does not cover witnesses,
   * so it proves neither the envelopes nor their count. Where false, the server's word is all there is.
   */
  covered: boolean
}

/** A control block without a path: the output commits to one leaf alone (BIP-341). */
const ONE_LEAF_SIZE = 33

/** Null when the transaction that the id names does not exist, or carries no such inscription. Throws as the lookup does. */
export async function fetchReveal(
  lookup: TransactionLookup,
  id: InscriptionId,
  ownScripts: OwnScripts,
): Promise<RevealedInscription | null> {
  const { txid, index } = parseInscriptionId(id) ?? { txid: '', index: 0 }
  const transaction = await getIfKnown(lookup, txid)
  const envelope = transaction && parseEnvelopes(transaction.ins.map(one => one.witness))[index]
  const input = envelope && transaction.ins[envelope.input]
  if (!input) return null
  const { script: scriptPubKey } = await lookup.getSpent(input)
  const inscription = parseInscription(envelope.fields)
  const reveal = { transaction, envelope, inscription }
  if (typeOfScript(scriptPubKey) !== 'p2tr') return { ...reveal, covered: false }
  const { script, controlBlock } = splitScriptPath(input.witness)
  const leafVersion = (controlBlock[0] ?? 0) & 0xfe
  if (!isLeafOf(scriptPubKey, { script, controlBlock, leafVersion })) return null
  const others = transaction.ins.filter(one => one !== input)
  const covered =
    controlBlock.length === ONE_LEAF_SIZE &&
    envelope.offset === index &&
    !(await mayOneHoldEnvelope(lookup, others, ownScripts))
  return { ...reveal, covered }
}

/**
 * Later inputs count, too: if the first was really spent by its key, the first envelope would be in one of them. Outputs of
 * our own are only ever spent by key.
 */
async function mayOneHoldEnvelope(
  lookup: TransactionLookup,
  inputs: RawTransaction['ins'],
  ownScripts: OwnScripts,
): Promise<boolean> {
  const spent = await lookup.listSpent(inputs)
  return inputs.some(({ script: scriptSig }, i) => {
    const scriptPubKey = spent[i]?.script
    if (!scriptPubKey) return true
    const isOwn = ownScripts.some(own => equalBytes(own, scriptPubKey))
    return !isOwn && mayHoldEnvelope(scriptPubKey, scriptSig)
  })
}

/** The reveal whose content is shown for another one: that of its delegate, where there is one. */
export async function fetchShownReveal(
  lookup: TransactionLookup,
  reveal: RevealedInscription,
  ownScripts: OwnScripts,
): Promise<RevealedInscription> {
  const { delegate } = reveal.inscription
  return (delegate && (await fetchReveal(lookup, delegate, ownScripts))) || reveal
}

/** What is shown of an inscription, out of its reveal alone; null when that proves nothing or cannot be decoded. */
export async function fetchRevealedContent(
  lookup: TransactionLookup,
  id: InscriptionId,
  ownScripts: OwnScripts,
  maxBytes: number,
): Promise<InscriptionContent | null> {
  const own = await fetchReveal(lookup, id, ownScripts)
  const shown = own && (await fetchShownReveal(lookup, own, ownScripts))
  if (!own?.covered || !shown?.covered) return null
  const bytes = await decodeBody(shown, maxBytes)
  return bytes && { contentType: shown.inscription.contentType, bytes }
}

/** Names of the browser's decoders; not every browser has the last. */
const DECODERS: { [encoding: string]: string } = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'brotli',
}

/** The body without its content encoding; null like {@link decodeContent}. */
export function decodeBody(
  reveal: RevealedInscription,
  maxBytes: number,
): Promise<Uint8Array | null> {
  const body = reveal.envelope.fields.body ?? new Uint8Array()
  return decodeContent(body, reveal.inscription.contentEncoding ?? '', maxBytes)
}

/** Content without its encoding, which is empty for none; null for an encoding that cannot be read here, and for more than `maxBytes`. */
export async function decodeContent(
  body: Uint8Array,
  contentEncoding: string,
  maxBytes: number,
): Promise<Uint8Array | null> {
  const encoding = contentEncoding.trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return body.length > maxBytes ? null : body
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined
  try {
    return decoder ? await decompress(decoder, body, maxBytes) : null
  } catch {
    // Unknown to this browser, or not what it says it is.
    return null
  }
}

async function decompress(
  decoder: string,
  bytes: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array | null> {
  const stream = new DecompressionStream(decoder as CompressionFormat)
  const reader = new Blob([Uint8Array.from(bytes)]).stream().pipeThrough(stream).getReader()
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return joinBytes(parts)
    size += value.length
    if (size > maxBytes) {
      await reader.cancel()
      return null
    }
    parts.push(value)
  }
}

async function getIfKnown(lookup: TransactionLookup, txid: string): Promise<RawTransaction | null> {
  try {
    return await lookup.get(txid)
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return null
    throw error
  }
}

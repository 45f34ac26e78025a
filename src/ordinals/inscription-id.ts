import { concatBytes, fromHex, toHex } from '../bitcoin/bytes.ts'

/** `<txid>i<index>`: the reveal transaction, and which of its inscriptions. */
export type InscriptionId = string

const TXID_SIZE = 32
const INDEX_SIZE = 4
const MAX_INDEX = 0xffffffff

/** The parts of an id; null unless the text is its canonical form (lower-case hex, no leading zeros, 32 bits). */
export function parseInscriptionId(text: string): { txid: string; index: number } | null {
  const [, txid, index] = /^([0-9a-f]{64})i(0|[1-9]\d{0,9})$/.exec(text) ?? []
  if (txid === undefined || Number(index) > MAX_INDEX) return null
  return { txid, index: Number(index) }
}

export function formatInscriptionId({ txid, index }: { txid: string; index: number }): string {
  return `${txid}i${index}`
}

/** An id as the value of a parent or delegate field: txid in wire order, index little-endian without trailing zeros. Throws on text that is no id. */
export function encodeInscriptionId(id: InscriptionId): Uint8Array {
  const parts = parseInscriptionId(id)
  if (!parts) throw new Error(`inscription id: expected <txid>i<index>, got "${id}"`)
  const index: number[] = []
  for (let rest = parts.index; rest > 0; rest = Math.floor(rest / 256)) index.push(rest % 256)
  return concatBytes(fromHex(parts.txid).reverse(), Uint8Array.from(index))
}

/** The id that a parent or delegate field names; null for bytes that ord takes for none. */
export function decodeInscriptionId(value: Uint8Array): InscriptionId | null {
  const index = value.subarray(TXID_SIZE)
  if (value.length < TXID_SIZE || index.length > INDEX_SIZE) return null
  // A trailing zero is allowed only in the form of fixed length.
  if (index.length < INDEX_SIZE && index.at(-1) === 0) return null
  return formatInscriptionId({
    txid: toHex(value.slice(0, TXID_SIZE).reverse()),
    index: index.reduceRight((sum, byte) => sum * 256 + byte, 0),
  })
}

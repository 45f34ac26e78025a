import { concatBytes, fromHex } from '../bitcoin/bytes.ts'
import { parseInscriptionId } from './inscription-id.ts'

/**
 * `<txid>i<vout>`: the output of the commit transaction whose spending minted it. It looks like the id of an inscription, and
 * names another thing.
 */
export type AtomicalId = string

/** The parts of an id; null unless the text is its canonical form. */
export function parseAtomicalId(text: string): { txid: string; vout: number } | null {
  const parts = parseInscriptionId(text)
  return parts && { txid: parts.txid, vout: parts.index }
}

export function formatAtomicalId({ txid, vout }: { txid: string; vout: number }): AtomicalId {
  return `${txid}i${vout}`
}

/** The 36 bytes by which the protocol sorts ids: txid in wire order, output little-endian. Throws on text that is no id. */
export function encodeAtomicalId(id: AtomicalId): Uint8Array {
  const parts = parseAtomicalId(id)
  if (!parts) throw new Error(`atomical id: expected <txid>i<vout>, got "${id}"`)
  const vout = new Uint8Array(4)
  new DataView(vout.buffer).setUint32(0, parts.vout, true)
  return concatBytes(fromHex(parts.txid).reverse(), vout)
}

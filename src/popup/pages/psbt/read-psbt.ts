import { toHex } from '../../../bitcoin/bytes.ts'
import { PSBT_MAGIC } from '../../../bitcoin/psbt/maps.ts'
import { parsePsbtText } from '../../../bitcoin/psbt/psbt.ts'

/** Bytes of a file: the background takes half of it, the other half is for hex. */
export const LARGEST_FILE = 2_100_000

/** Hex of the PSBT in a file: its bytes, or hex or base64 as text; null where there is none. */
export function readPsbtFile(bytes: Uint8Array): string | null {
  if (PSBT_MAGIC.every((byte, at) => bytes[at] === byte)) return toHex(bytes)
  try {
    return readPsbtText(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return null
  }
}

/** Hex of the PSBT in a text, in hex or base64, with any white space; null where there is none. */
export function readPsbtText(text: string): string | null {
  const bytes = parsePsbtText(text.replace(/\s+/g, ''))
  return bytes && toHex(bytes)
}

/** The same file name for the same transaction, whoever has signed it. */
export function nameFile(unsignedTxid: string, isFinal: boolean): string {
  return `satchel-${unsignedTxid.slice(0, 8)}${isFinal ? '-final' : ''}.psbt`
}

/** The most characters and bytes of what a device hands back. */
const LARGEST = 8_000_000

/** What somebody pasted or chose is no PSBT and no transaction. */
export class UnreadableReturnError extends Error {
  override name = 'UnreadableReturnError'
}

/** The hex of a PSBT or a transaction in text that a person pasted: hex or base64, in as many lines as it likes. Throws {@link UnreadableReturnError}. */
export function readReturnedText(text: string): string {
  const compact = text.length > LARGEST ? '' : text.replace(/\s+/g, '')
  if (/^(?:[0-9a-f]{2})+$/i.test(compact)) return compact.toLowerCase()
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(compact) && compact.length % 4 === 0)
    return toHexText(Uint8Array.from(atob(compact), char => char.charCodeAt(0)))
  throw new UnreadableReturnError('expected a PSBT or a transaction as hex or base64')
}

/** The same of a file, which can hold the bytes themselves. */
export async function readReturnedFile(file: Blob): Promise<string> {
  if (file.size > LARGEST) throw new UnreadableReturnError('expected a file of at most 8 MB')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isText = bytes.every(byte => byte < 0x80 && (byte >= 0x20 || isSpace(byte)))
  if (isText && bytes.length > 0) return readReturnedText(new TextDecoder().decode(bytes))
  if (bytes.length === 0) throw new UnreadableReturnError('expected a file that is not empty')
  return toHexText(bytes)
}

function isSpace(byte: number): boolean {
  return byte === 0x0a || byte === 0x0d || byte === 0x09
}

function toHexText(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

import { fromHex, joinBytes } from '../bytes.ts'
import { MAX_MESSAGE_BYTES, QrCodeError } from './qr-error.ts'

/** Hex, base 32, or raw deflate with a window of 1 KiB in base 32 (BBQr 1.0). */
export type BbqrEncoding = 'H' | '2' | 'Z'

/** What one code of a series holds; `index` counts from 0, `fileType` is the specification's letter, `P` for a PSBT. */
export type BbqrPart = {
  encoding: BbqrEncoding
  fileType: string
  count: number
  index: number
  data: Uint8Array
}

/** RFC 4648. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** What two digits of base 36 count to. */
const MAX_PARTS = 36 * 36 - 1
const HEADER_LENGTH = 8
/** What the largest QR code holds. */
const MAX_TEXT = 4_296

/** Whether a text says that it is a part of BBQr. */
export function isBbqr(text: string): boolean {
  return text.startsWith('B$')
}

/** Reads the text of one code; throws {@link QrCodeError}. */
export function parseBbqr(text: string): BbqrPart {
  if (text.length > MAX_TEXT)
    throw new QrCodeError('too-large', `expected at most ${MAX_TEXT} letters, found ${text.length}`)
  const match = /^B\$([A-Z0-9])([A-Z0-9])([A-Z0-9]{2})([A-Z0-9]{2})([A-Z0-9]+)$/.exec(text)
  if (!match) throw new QrCodeError('damaged', 'expected a header of BBQr and capital letters')
  const [, encoding = '', fileType = '', countDigits = '', indexDigits = '', letters = ''] = match
  const [count, index] = [Number.parseInt(countDigits, 36), Number.parseInt(indexDigits, 36)]
  if (encoding !== 'H' && encoding !== '2' && encoding !== 'Z')
    throw new QrCodeError('unsupported', `encoding: expected H, 2 or Z, found ${encoding}`)
  if (index >= count)
    throw new QrCodeError('damaged', `expected a part below ${count}, found ${index}`)
  const data = encoding === 'H' ? decodeHex(letters) : decodeBase32(letters)
  return { encoding, fileType, count, index, data }
}

/** The bytes of a series of which each part is there once, in order; throws {@link QrCodeError}. */
export async function joinBbqr(parts: readonly BbqrPart[]): Promise<Uint8Array> {
  const joined = joinBytes(parts.map(part => part.data))
  return parts[0]?.encoding === 'Z' ? inflate(joined) : joined
}

/**
 * The texts of all codes of a series, in base 32, with at most so many letters each; all but the last have the same length.
 * Throws RangeError when there would be more than 1,295.
 */
export function splitBbqr(data: Uint8Array, fileType: string, maxLetters: number): string[] {
  // Whole bytes end where letters do after five bytes only.
  const most = Math.floor((maxLetters - HEADER_LENGTH) / 8) * 5
  const count = Math.max(1, Math.ceil(data.length / most))
  if (!(most > 0) || count > MAX_PARTS)
    throw new RangeError(`BBQr: expected at most ${MAX_PARTS} parts, found ${count}`)
  const size = Math.ceil(Math.ceil(data.length / count) / 5) * 5
  const filled = Math.max(1, Math.ceil(data.length / size))
  return Array.from({ length: filled }, (_, index) => {
    const header = `B$2${fileType}${formatBase36(filled)}${formatBase36(index)}`
    return header + encodeBase32(data.subarray(index * size, (index + 1) * size))
  })
}

function formatBase36(value: number): string {
  return value.toString(36).toUpperCase().padStart(2, '0')
}

function decodeHex(letters: string): Uint8Array {
  if (letters.length % 2 !== 0 || /[^0-9A-F]/.test(letters))
    throw new QrCodeError('damaged', 'expected pairs of hex digits in capital letters')
  return fromHex(letters)
}

export function encodeBase32(bytes: Uint8Array): string {
  let letters = ''
  let [held, bits] = [0, 0]
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) letters += BASE32[(held >> (bits - 5)) & 31]
  }
  return bits > 0 ? letters + BASE32[(held << (5 - bits)) & 31] : letters
}

function decodeBase32(letters: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((letters.length * 5) / 8))
  let [held, bits, at] = [0, 0, 0]
  for (const letter of letters) {
    const value = BASE32.indexOf(letter)
    if (value < 0) throw new QrCodeError('damaged', 'expected the letters of base 32')
    held = ((held << 5) | value) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = (held >> bits) & 0xff
    }
  }
  if (bits >= 5 || (held & ((1 << bits) - 1)) !== 0)
    throw new QrCodeError('damaged', 'base 32: expected whole bytes')
  return bytes
}

/** Bytes that are unpacked at once: deflate makes them some thousand times longer at most. */
const PACKED_AT_ONCE = 512

/** What raw deflate (RFC 1951) packed; stops soon after more comes out than is taken. */
async function inflate(packed: Uint8Array): Promise<Uint8Array> {
  let at = 0
  const source = new ReadableStream<BufferSource>(
    {
      pull(controller) {
        if (at >= packed.length) controller.close()
        else controller.enqueue(packed.slice(at, at + PACKED_AT_ONCE))
        at += PACKED_AT_ONCE
      },
    },
    { highWaterMark: 0 },
  )
  const reader = source.pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const pieces: Uint8Array[] = []
  let length = 0
  for (;;) {
    const piece = await reader.read().catch(() => null)
    if (piece === null) throw new QrCodeError('damaged', 'the packed bytes cannot be unpacked')
    if (piece.done) return joinBytes(pieces)
    length += piece.value.length
    if (length > MAX_MESSAGE_BYTES) {
      await reader.cancel().catch(() => undefined)
      throw new QrCodeError('too-large', `expected at most ${MAX_MESSAGE_BYTES} bytes, unpacked`)
    }
    pieces.push(piece.value)
  }
}

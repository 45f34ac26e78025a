import { decodeBytewords, encodeBytewords } from './bytewords.ts'
import {
  createFountainEncoder,
  decodeFountainPart,
  encodeFountainPart,
  type FountainPart,
} from './fountain.ts'
import { QrCodeError } from './qr-error.ts'

/** A uniform resource (BCR-2020-005): a type such as `crypto-psbt`, and CBOR. */
export type Ur = { type: string; cbor: Uint8Array }

/** What one text of it holds: all, or a part. */
export type UrText = { type: string } & ({ cbor: Uint8Array } | { part: FountainPart })

/** Letters: more than the largest QR code holds, which has 4296. */
const MAX_TEXT = 20_000

/** Whether a text says that it is a uniform resource. */
export function isUr(text: string): boolean {
  return /^ur:/i.test(text)
}

/** Reads the text of one code, in either case; throws {@link QrCodeError}. */
export function parseUr(text: string): UrText {
  if (text.length > MAX_TEXT)
    throw new QrCodeError('too-large', `expected at most ${MAX_TEXT} letters, found ${text.length}`)
  const small = text.toLowerCase()
  if (small !== text && text.toUpperCase() !== text)
    throw new QrCodeError('damaged', 'expected letters of one case')
  const match = /^ur:([a-z0-9-]+)\/(?:([1-9][0-9]{0,9})-([1-9][0-9]{0,9})\/)?([a-z]+)$/.exec(small)
  if (!match) throw new QrCodeError('damaged', 'expected ur:type/letters or ur:type/1-9/letters')
  const [, type = '', sequence, count, letters = ''] = match
  const bytes = decodeBytewords(letters)
  if (sequence === undefined) return { type, cbor: bytes }
  const part = decodeFountainPart(bytes)
  if (part.sequence !== Number(sequence) || part.count !== Number(count))
    throw new QrCodeError('damaged', 'expected the same numbers in the text and in the part')
  return { type, part }
}

/** A uniform resource as one text, in small letters. */
export function formatUr({ type, cbor }: Ur): string {
  return `ur:${type}/${encodeBytewords(cbor)}`
}

/** The texts of parts by sequence number, from 1 without end; `count` parts in a row are enough. */
export function createUrEncoder(
  { type, cbor }: Ur,
  maxFragmentLength: number,
): { count: number; text: (sequence: number) => string } {
  const { count, part } = createFountainEncoder(cbor, maxFragmentLength)
  return {
    count,
    text: sequence =>
      `ur:${type}/${sequence}-${count}/${encodeBytewords(encodeFountainPart(part(sequence)))}`,
  }
}

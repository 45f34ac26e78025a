// qr: codes that carry PSBTs and public keys between wallets and devices: uniform resources (BC-UR) and BBQr, read and
// written. It promises that a message comes whole or not at all, with its checksum where the format has one, from bounded
// memory. It never judges what a message says: PSBTs and descriptors are parsed where they are used.

import { fromBase64, fromHex, toHex } from '../bytes.ts'
import { parseTransaction } from '../transaction.ts'
import { type BbqrPart, isBbqr, joinBbqr, parseBbqr } from './bbqr.ts'
import { CborTag, decodeCbor } from './cbor.ts'
import { type CodeKeys, KEY_TYPES, parseCodeKeys } from './code-keys.ts'
import { createFountainDecoder, type FountainDecoder } from './fountain.ts'
import { MAX_MESSAGE_BYTES, QrCodeError } from './qr-error.ts'
import { isUr, parseUr, type Ur } from './ur.ts'

/** What codes, files or pasted texts held. PSBTs begin with their magic bytes, and are no further checked. */
export type ReadResult =
  | { kind: 'psbt'; bytes: Uint8Array }
  | { kind: 'transaction'; bytes: Uint8Array }
  | { kind: 'keys'; keys: CodeKeys }
  /** Anything else that is text: a descriptor, a key file in JSON, an address. */
  | { kind: 'text'; text: string }

/** How much was read. `share` goes from 0 to 1; `seen` counts useful parts; `total` is null before the first one. */
export type ReadProgress = {
  share: number
  seen: number
  total: number | null
  result: ReadResult | null
}

/**
 * Takes what is scanned, one text after the other, in any order and repeated. Every method throws {@link QrCodeError} and
 * keeps what was read before, but for `checksum` and `endless`, after which it begins anew.
 */
export type PartReader = {
  readonly progress: () => ReadProgress
  readonly add: (text: string) => Promise<ReadProgress>
  /** A file or a pasted text: of one message in any form, or the texts of many codes, one a line. */
  readonly addFile: (bytes: Uint8Array) => Promise<ReadProgress>
  readonly reset: () => void
}

type Series =
  | { format: 'ur'; type: string; decoder: FountainDecoder; useless: number }
  | { format: 'bbqr'; first: BbqrPart; parts: Map<number, BbqrPart> }

/** New parts in a row that bring nothing: some ten minutes of them. */
const MOST_USELESS = 5_000

const PSBT_MAGIC = '70736274ff'

export function createPartReader(): PartReader {
  let series: Series | null = null
  let result: ReadResult | null = null
  let last = ''

  const reset = () => {
    series = null
    result = null
    last = ''
  }

  const progress = (): ReadProgress => {
    if (result) {
      const total = series === null ? 1 : countParts(series)
      return { share: 1, seen: total, total, result }
    }
    if (series === null) return { share: 0, seen: 0, total: null, result }
    const total = countParts(series)
    const seen = series.format === 'ur' ? series.decoder.known() : series.parts.size
    return { share: seen / total, seen, total, result }
  }

  const add = async (scanned: string): Promise<ReadProgress> => {
    const text = scanned.trim()
    // A camera sees a code many times before the next one.
    if (result || text === last || text === '') return progress()
    if (isUr(text)) addUr(text)
    else if (isBbqr(text)) await addBbqr(text)
    else if (series) throw new QrCodeError('mixed', 'a code is none of those before')
    else result = readText(text)
    last = text
    return progress()
  }

  const addUr = (text: string) => {
    const ur = parseUr(text)
    if ('cbor' in ur) {
      if (series) throw new QrCodeError('mixed', 'a code is none of those before')
      result = readUr(ur)
      return
    }
    if (series === null) {
      expectKnownType(ur.type)
      series = { format: 'ur', type: ur.type, decoder: createFountainDecoder(ur.part), useless: 0 }
    } else {
      if (series.format !== 'ur' || series.type !== ur.type)
        throw new QrCodeError('mixed', 'a code is none of those before')
      const before = series.decoder.known()
      series.decoder.add(ur.part)
      series.useless = series.decoder.known() > before ? 0 : series.useless + 1
      if (series.useless > MOST_USELESS) {
        reset()
        throw new QrCodeError('endless', `expected something new in ${MOST_USELESS} parts`)
      }
    }
    if (series.decoder.known() < series.decoder.first.count) return
    const { decoder, type } = series
    const cbor = finishOrReset(decoder)
    if (cbor) result = readUr({ type, cbor })
  }

  const finishOrReset = (decoder: FountainDecoder) => {
    try {
      return decoder.finish()
    } catch (error) {
      reset()
      throw error
    }
  }

  const addBbqr = async (text: string) => {
    const part = parseBbqr(text)
    if (series === null) series = { format: 'bbqr', first: part, parts: new Map() }
    if (series.format !== 'bbqr') throw new QrCodeError('mixed', 'a code is none of those before')
    const { first, parts } = series
    expectSameSeries(first, part, parts)
    parts.set(part.index, part)
    if (parts.size < first.count) return
    const ordered = [...parts.values()].sort((a, b) => a.index - b.index)
    try {
      expectEqualLengths(ordered)
      result = readBbqr(first.fileType, await joinBbqr(ordered))
    } catch (error) {
      reset()
      throw error
    }
  }

  const addFile = async (bytes: Uint8Array): Promise<ReadProgress> => {
    if (bytes.length > 2 * MAX_MESSAGE_BYTES)
      throw new QrCodeError('too-large', `expected at most ${2 * MAX_MESSAGE_BYTES} bytes`)
    const text = decodeUtf8(bytes)?.trim()
    if (text === undefined || toHex(bytes.subarray(0, 5)) === PSBT_MAGIC) {
      if (series) throw new QrCodeError('mixed', 'a file is none of the codes before')
      result = readBytes(bytes)
      return progress()
    }
    if (!isUr(text) && !isBbqr(text)) return add(text)
    for (const line of text.split(/\s+/)) await add(line)
    return progress()
  }

  return { progress, add, addFile, reset }
}

function countParts(series: Series): number {
  return series.format === 'ur' ? series.decoder.first.count : series.first.count
}

function expectSameSeries(
  first: BbqrPart,
  part: BbqrPart,
  parts: ReadonlyMap<number, BbqrPart>,
): void {
  const known = parts.get(part.index)
  const isOther =
    part.encoding !== first.encoding ||
    part.fileType !== first.fileType ||
    part.count !== first.count ||
    (known !== undefined && toHex(known.data) !== toHex(part.data))
  if (isOther) throw new QrCodeError('mixed', 'a part is of another message than those before')
}

/** All but the last part have one length, which tells two series of the same kind apart. */
function expectEqualLengths(parts: readonly BbqrPart[]): void {
  const length = parts[0]?.data.length ?? 0
  for (const [index, { data }] of parts.entries()) {
    const isLast = index === parts.length - 1
    if (isLast ? data.length > length : data.length !== length)
      throw new QrCodeError('mixed', 'the parts have lengths of different messages')
  }
}

function expectKnownType(type: string): void {
  if (![...KEY_TYPES, 'crypto-psbt', 'psbt', 'bytes'].includes(type))
    throw new QrCodeError('unsupported', 'type: expected a PSBT, bytes or public keys')
}

function readUr({ type, cbor }: Ur): ReadResult {
  expectKnownType(type)
  const keyType = KEY_TYPES.find(known => known === type)
  if (keyType) return { kind: 'keys', keys: parseCodeKeys(keyType, cbor) }
  const item = decodeCbor(cbor)
  const inside = item instanceof CborTag && [310, 40310].includes(item.tag) ? item.value : item
  if (!(inside instanceof Uint8Array))
    throw new QrCodeError('damaged', `${type}: expected a string of bytes`)
  return type === 'bytes' ? readBytes(inside) : readPsbt(inside)
}

function readBbqr(fileType: string, bytes: Uint8Array): ReadResult {
  if (fileType === 'P') return readPsbt(bytes)
  if (fileType === 'T') return readTransaction(bytes)
  if (fileType === 'B') return readBytes(bytes)
  if (fileType !== 'J' && fileType !== 'U')
    throw new QrCodeError('unsupported', `file type: expected P, T, J, U or B, found ${fileType}`)
  const text = decodeUtf8(bytes)
  if (text === null) throw new QrCodeError('damaged', 'text: expected UTF-8')
  return { kind: 'text', text }
}

/** Bytes of no named type. */
function readBytes(bytes: Uint8Array): ReadResult {
  if (toHex(bytes.subarray(0, 5)) === PSBT_MAGIC) return readPsbt(bytes)
  const text = decodeUtf8(bytes)
  return text === null ? readTransaction(bytes) : readText(text.trim())
}

function readText(text: string): ReadResult {
  if (text.length > 2 * MAX_MESSAGE_BYTES)
    throw new QrCodeError('too-large', `expected at most ${2 * MAX_MESSAGE_BYTES} letters`)
  if (/^70736274ff/i.test(text)) return readPsbt(decodeAs(fromHex, text))
  if (text.startsWith('cHNidP')) return readPsbt(decodeAs(fromBase64, text))
  // Version 1 or 2 in four bytes, then more than an empty transaction has.
  if (/^0[12]000000[0-9a-f]{20,}$/i.test(text)) return readTransaction(decodeAs(fromHex, text))
  return { kind: 'text', text }
}

function decodeAs(decode: (text: string) => Uint8Array, text: string): Uint8Array {
  try {
    return decode(text.replace(/\s+/g, ''))
  } catch {
    throw new QrCodeError('damaged', 'PSBT or transaction: expected whole hex or base64')
  }
}

function readPsbt(bytes: Uint8Array): ReadResult {
  if (toHex(bytes.subarray(0, 5)) !== PSBT_MAGIC)
    throw new QrCodeError('damaged', 'PSBT: expected the bytes 70736274ff at the start')
  if (bytes.length > MAX_MESSAGE_BYTES)
    throw new QrCodeError('too-large', `expected at most ${MAX_MESSAGE_BYTES} bytes`)
  return { kind: 'psbt', bytes }
}

function readTransaction(bytes: Uint8Array): ReadResult {
  try {
    parseTransaction(bytes)
  } catch {
    throw new QrCodeError('unsupported', 'expected a PSBT, a transaction, public keys or a text')
  }
  return { kind: 'transaction', bytes }
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

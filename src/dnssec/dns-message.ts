import {
  type ByteCursor,
  bytesLeft,
  MalformedBytesError,
  readByte,
  readBytes,
} from '../bitcoin/byte-cursor.ts'
import { concatBytes } from '../bitcoin/bytes.ts'
import { type DomainName, encodeDomainName, equalNames, readDomainName } from './domain-name.ts'

/** Types of records, as the registry of the IANA numbers them. */
export const TYPES = {
  CNAME: 5,
  TXT: 16,
  DNAME: 39,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
} as const

const CLASS_IN = 1
const TYPE_OPT = 41
const OPTION_PADDING = 12

/** A record of the class IN. */
export type DnsRecord = {
  name: DomainName
  type: number
  /** Seconds. */
  ttl: number
  /** With the names in it in full, in lower case where RFC 4034, 6.2, and RFC 6840, 5.1, have them so. */
  data: Uint8Array
}

export type DnsQuestion = { name: DomainName; type: number }

/** What a server said to a question: its response code (0: no error, 3: no such name) and the records of all sections. */
export type DnsAnswer = { code: number; records: DnsRecord[] }

/**
 * A question as a message (RFC 1035) that asks for signatures and for what the server could not verify itself (RFC 4035, 3.2), padded
 * to a multiple of 128 bytes (RFC 8467). Its id is 0, as RFC 8484 has it.
 */
export function encodeQuestion({ name, type }: DnsQuestion): Uint8Array {
  const RECURSION = 0x01
  const CHECKING_DISABLED = 0x10
  const head = Uint8Array.of(0, 0, RECURSION, CHECKING_DISABLED, 0, 1, 0, 0, 0, 0, 0, 1)
  const question = concatBytes(encodeDomainName(name), bigEndian(type), bigEndian(CLASS_IN))
  // The root's name, type, size of an answer over UDP, version, the bit DO, length.
  const opt = [0, ...bigEndian(TYPE_OPT), 0x10, 0, 0, 0, 0x80, 0]
  const unpadded = head.length + question.length + opt.length + 6
  const padding = (128 - (unpadded % 128)) % 128
  const rest = [...bigEndian(padding + 4), ...bigEndian(OPTION_PADDING), ...bigEndian(padding)]
  return concatBytes(head, question, Uint8Array.from(opt.concat(rest)), new Uint8Array(padding))
}

/** Reads the answer to a question; throws MalformedBytesError for what is none. */
export function parseAnswer(bytes: Uint8Array, question: DnsQuestion): DnsAnswer {
  const cursor = { bytes, offset: 0 }
  readUint16(cursor)
  const flags = readUint16(cursor)
  if (!(flags & 0x8000)) throw new MalformedBytesError('expected an answer, found a question')
  if (flags & 0x0200) throw new MalformedBytesError('expected a whole answer, found a cut one')
  const [questions, ...sections] = [0, 0, 0, 0].map(() => readUint16(cursor))
  if (questions !== 1) throw new MalformedBytesError('expected the question in its answer')
  const { name } = readDomainName(cursor)
  const type = readUint16(cursor)
  if (readUint16(cursor) !== CLASS_IN || type !== question.type || !equalNames(name, question.name))
    throw new MalformedBytesError('expected an answer to the question that was asked')
  const count = sections.reduce((sum, size) => sum + size, 0)
  return { code: flags & 0x0f, records: readRecords(cursor, count) }
}

/** Records one after the other, without pointers between them (RFC 9102, AuthenticationChain). */
export function parseRecords(bytes: Uint8Array): DnsRecord[] {
  return readRecords({ bytes, offset: 0 }, Number.POSITIVE_INFINITY)
}

/** Up to so many, as far as the bytes go if there is no number; those of other classes are left out. */
function readRecords(cursor: ByteCursor, count: number): DnsRecord[] {
  const records: DnsRecord[] = []
  for (let at = 0; at < count && (count < Infinity || bytesLeft(cursor) > 0); at++) {
    const { name } = readDomainName(cursor)
    const type = readUint16(cursor)
    const isInternet = readUint16(cursor) === CLASS_IN
    const ttl = readUint32(cursor)
    const data = readData(cursor, type, readUint16(cursor))
    // A first bit makes a TTL 0 (RFC 2181, 8).
    if (isInternet && type !== TYPE_OPT)
      records.push({ name, type, ttl: ttl > 0x7fffffff ? 0 : ttl, data })
  }
  return records
}

/** Only names of these types can be compressed by servers of today; the letters of a signer's name are lowered (RFC 4034, 6.2). */
function readData(cursor: ByteCursor, type: number, size: number): Uint8Array {
  const end = cursor.offset + size
  if (end > cursor.bytes.length)
    throw new MalformedBytesError(`expected a record of ${size} bytes, found fewer`)
  const within = { bytes: cursor.bytes.subarray(0, end), offset: cursor.offset }
  cursor.offset = end
  const hasName = type === TYPES.CNAME || type === TYPES.DNAME || type === TYPES.RRSIG
  if (!hasName) return readBytes(within, size)
  const before = type === TYPES.RRSIG ? readBytes(within, 18) : new Uint8Array()
  const name = encodeDomainName(readDomainName(within).name)
  const data = concatBytes(before, name, readBytes(within, bytesLeft(within)))
  if (type === TYPES.RRSIG || data.length === name.length) return data
  throw new MalformedBytesError('expected nothing after the name of an alias')
}

export function bigEndian(value: number): Uint8Array {
  return Uint8Array.of(value >>> 8, value & 0xff)
}

export function readUint16(cursor: ByteCursor): number {
  return readByte(cursor) * 0x100 + readByte(cursor)
}

export function readUint32(cursor: ByteCursor): number {
  return readUint16(cursor) * 0x10000 + readUint16(cursor)
}

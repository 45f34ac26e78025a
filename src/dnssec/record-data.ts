import {
  type ByteCursor,
  bytesLeft,
  expectEnd,
  MalformedBytesError,
  readByte,
  readBytes,
} from '../bitcoin/byte-cursor.ts'
import { concatBytes } from '../bitcoin/bytes.ts'
import { readUint16, readUint32 } from './dns-message.ts'
import { type DomainName, readDomainName } from './domain-name.ts'

/** A key of a zone (RFC 4034, 2). */
export type DnsKey = {
  flags: number
  protocol: number
  algorithm: number
  publicKey: Uint8Array
  /** RFC 4034, appendix B. */
  tag: number
  data: Uint8Array
}

/** The digest of a key, which the zone above signs (RFC 4034, 5). */
export type DelegationSigner = {
  tag: number
  algorithm: number
  digestType: number
  digest: Uint8Array
}

/** A signature over all records of a name and type (RFC 4034, 3); times are seconds since 1970 modulo 2^32. */
export type DnsSignature = {
  typeCovered: number
  algorithm: number
  /** Labels of the name that was signed; fewer than those of the records where a wildcard answered. */
  labels: number
  originalTtl: number
  expiration: number
  inception: number
  tag: number
  signer: DomainName
  signature: Uint8Array
  /** All but the signature. */
  head: Uint8Array
}

/** From one name of a zone to the next there is none (RFC 4034, 4). */
export type NextSecure = { next: DomainName; types: ReadonlySet<number> }

/** From one hash of a zone's names to the next there is none (RFC 5155, 3). */
export type NextSecureHashed = {
  hashAlgorithm: number
  /** Whether names of unsigned zones may lie between all the same. */
  optOut: boolean
  iterations: number
  salt: Uint8Array
  next: Uint8Array
}

export function parseDnsKey(data: Uint8Array): DnsKey {
  const cursor = { bytes: data, offset: 0 }
  const flags = readUint16(cursor)
  const protocol = readByte(cursor)
  const algorithm = readByte(cursor)
  return { flags, protocol, algorithm, publicKey: readRest(cursor), tag: computeTag(data), data }
}

export function parseDelegationSigner(data: Uint8Array): DelegationSigner {
  const cursor = { bytes: data, offset: 0 }
  const tag = readUint16(cursor)
  const algorithm = readByte(cursor)
  const digestType = readByte(cursor)
  return { tag, algorithm, digestType, digest: readRest(cursor) }
}

export function parseSignature(data: Uint8Array): DnsSignature {
  const cursor = { bytes: data, offset: 0 }
  const typeCovered = readUint16(cursor)
  const algorithm = readByte(cursor)
  const labels = readByte(cursor)
  const originalTtl = readUint32(cursor)
  const expiration = readUint32(cursor)
  const inception = readUint32(cursor)
  const tag = readUint16(cursor)
  const signer = readDomainName(cursor).name
  const head = data.subarray(0, cursor.offset)
  const signature = readRest(cursor)
  return {
    ...{ typeCovered, algorithm, labels, originalTtl, expiration, inception, tag, signer },
    ...{ signature, head },
  }
}

/** The one name of a CNAME or DNAME record. */
export function parseTarget(data: Uint8Array): DomainName {
  const cursor = { bytes: data, offset: 0 }
  const { name } = readDomainName(cursor)
  expectEnd(cursor)
  return name
}

export function parseNextSecure(data: Uint8Array): NextSecure {
  const cursor = { bytes: data, offset: 0 }
  const next = readDomainName(cursor).name
  const types = new Set<number>()
  while (bytesLeft(cursor) > 0) {
    const window = readByte(cursor)
    const bits = readBytes(cursor, readByte(cursor))
    bits.forEach((byte, at) => {
      for (let bit = 0; bit < 8; bit++)
        if (byte & (0x80 >> bit)) types.add(window * 256 + at * 8 + bit)
    })
  }
  return { next, types }
}

export function parseNextSecureHashed(data: Uint8Array): NextSecureHashed {
  const cursor = { bytes: data, offset: 0 }
  const hashAlgorithm = readByte(cursor)
  const optOut = (readByte(cursor) & 1) === 1
  const iterations = readUint16(cursor)
  const salt = readBytes(cursor, readByte(cursor))
  const next = readBytes(cursor, readByte(cursor))
  return { hashAlgorithm, optOut, iterations, salt, next }
}

/** The strings of a TXT record as one, in their order (RFC 1035, 3.3.14; BIP-353). */
export function parseText(data: Uint8Array): Uint8Array {
  const cursor = { bytes: data, offset: 0 }
  if (data.length === 0) throw new MalformedBytesError('expected a string, found an empty text')
  const parts: Uint8Array[] = []
  while (bytesLeft(cursor) > 0) parts.push(readBytes(cursor, readByte(cursor)))
  return concatBytes(...parts)
}

function readRest(cursor: ByteCursor): Uint8Array {
  return readBytes(cursor, bytesLeft(cursor))
}

function computeTag(data: Uint8Array): number {
  let sum = 0
  data.forEach((byte, at) => {
    sum += at % 2 === 0 ? byte * 256 : byte
  })
  return (sum + Math.floor(sum / 0x10000)) % 0x10000
}

import { concatBytes } from '../bitcoin/bytes.ts'
import { TYPES } from './dns-message.ts'
import {
  compareNames,
  type DomainName,
  encodeDomainName,
  equalNames,
  isWithin,
} from './domain-name.ts'
import { ownBytes } from './key-algorithms.ts'
import { parseNextSecure, parseNextSecureHashed } from './record-data.ts'
import type { RecordSet } from './record-sets.ts'

const NS = 2
const SOA = 6
/** RFC 9276 wants none; resolvers of today take no more than these. */
const MOST_ITERATIONS = 50

/** Whether an NSEC or NSEC3 record of a zone says that there is neither this name nor one below it (RFC 4035, 5.4; RFC 5155, 8.8). */
export async function deniesName(
  set: RecordSet,
  zone: DomainName,
  name: DomainName,
): Promise<boolean> {
  const [data] = set.data
  if (data === undefined || set.data.length > 1) return false
  if (set.type === TYPES.NSEC) return deniesByName(set.name, data, zone, name)
  if (set.type === TYPES.NSEC3) return deniesByHash(set.name, data, zone, name)
  return false
}

function deniesByName(
  owner: DomainName,
  data: Uint8Array,
  zone: DomainName,
  name: DomainName,
): boolean {
  const { next, types } = parseNextSecure(data)
  if (!isWithin(owner, zone) || !isWithin(name, zone)) return false
  // RFC 6840, 4.1: what is above a cut or an alias of a whole tree says nothing of what is below.
  const isCut = types.has(TYPES.DNAME) || (types.has(NS) && !types.has(SOA))
  if (isCut && isWithin(name, owner)) return false
  // Where the next name is below this one, there are names below it, and it is there itself.
  if (compareNames(owner, name) >= 0 || isWithin(next, name)) return false
  return equalNames(next, zone) || compareNames(name, next) < 0
}

async function deniesByHash(
  owner: DomainName,
  data: Uint8Array,
  zone: DomainName,
  name: DomainName,
): Promise<boolean> {
  const { hashAlgorithm, optOut, iterations, salt, next } = parseNextSecureHashed(data)
  const [from = ''] = owner
  const SHA_1 = 1
  if (hashAlgorithm !== SHA_1 || optOut || iterations > MOST_ITERATIONS) return false
  if (!equalNames(owner.slice(1), zone) || !isWithin(name, zone) || next.length !== 20) return false
  const to = toBase32Hex(next)
  const hash = toBase32Hex(await hashName(name, salt, iterations))
  // From the last hash of a zone the first one is the next.
  return from < to ? from < hash && hash < to : from < hash || hash < to
}

/** RFC 5155, 5. */
export async function hashName(
  name: DomainName,
  salt: Uint8Array,
  iterations: number,
): Promise<Uint8Array> {
  let hash = encodeDomainName(name)
  for (let round = 0; round <= iterations; round++)
    hash = new Uint8Array(await crypto.subtle.digest('SHA-1', ownBytes(concatBytes(hash, salt))))
  return hash
}

/** RFC 4648, 7, in lower case; 5 bytes a group, so that nothing is padded. */
export function toBase32Hex(bytes: Uint8Array): string {
  let bits = 0n
  for (const byte of bytes) bits = bits * 256n + BigInt(byte)
  return bits.toString(32).padStart((bytes.length * 8) / 5, '0')
}

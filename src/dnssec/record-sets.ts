import { concatBytes } from '../bitcoin/bytes.ts'
import { bigEndian, type DnsRecord, TYPES } from './dns-message.ts'
import { ancestorOf, type DomainName, encodeDomainName, formatDomainName } from './domain-name.ts'
import { type DnsSignature, parseSignature } from './record-data.ts'

/** All records of a name and type, and the signatures over them. */
export type RecordSet = {
  name: DomainName
  type: number
  /** The least of its records, in seconds. */
  ttl: number
  /** In canonical order (RFC 4034, 6.3), each once. */
  data: Uint8Array[]
  signatures: DnsSignature[]
}

export type RecordSets = ReadonlyMap<string, RecordSet>

/** Records in any order, put together; throws MalformedBytesError for a broken signature. */
export function groupRecords(records: readonly DnsRecord[]): RecordSets {
  const sets = new Map<string, RecordSet>()
  for (const { name, type, ttl, data } of records) {
    if (type === TYPES.RRSIG) continue
    const key = keyOf(name, type)
    const set = sets.get(key) ?? { name, type, ttl, data: [], signatures: [] }
    sets.set(key, set)
    set.ttl = Math.min(set.ttl, ttl)
    const at = set.data.findIndex(other => compareBytes(data, other) <= 0)
    if (at === -1) set.data.push(data)
    else if (compareBytes(data, set.data[at] ?? data) !== 0) set.data.splice(at, 0, data)
  }
  for (const { name, type, data } of records) {
    if (type !== TYPES.RRSIG) continue
    const signature = parseSignature(data)
    sets.get(keyOf(name, signature.typeCovered))?.signatures.push(signature)
  }
  return sets
}

export function findSet(sets: RecordSets, name: DomainName, type: number): RecordSet | null {
  return sets.get(keyOf(name, type)) ?? null
}

/** The name of the wildcard that answered (RFC 4035, 5.3.2); null where the records are of their own name. */
export function wildcardOf({ name }: RecordSet, { labels }: DnsSignature): DomainName | null {
  const own = name[0] === '*' ? name.length - 1 : name.length
  return labels < own ? ['*', ...ancestorOf(name, labels)] : null
}

/** What a signature of the set is over (RFC 4034, 3.1.8.1). */
export function signedBytesOf(set: RecordSet, signature: DnsSignature): Uint8Array {
  const CLASS_IN = 1
  const owner = concatBytes(
    encodeDomainName(wildcardOf(set, signature) ?? set.name),
    bigEndian(set.type),
    bigEndian(CLASS_IN),
    bigEndian(signature.originalTtl >>> 16),
    bigEndian(signature.originalTtl & 0xffff),
  )
  const records = set.data.map(data => concatBytes(owner, bigEndian(data.length), data))
  return concatBytes(signature.head, ...records)
}

/** For messages. */
export function describeSet(name: DomainName, type: number): string {
  const known = Object.entries(TYPES).find(([, number]) => number === type)
  return `${formatDomainName(name)} ${known?.[0] ?? `TYPE${type}`}`
}

function keyOf(name: DomainName, type: number): string {
  return JSON.stringify([type, ...name])
}

/** The shorter one first where it is the beginning of the other. */
function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, index) => byte !== b[index])
  if (at === -1) return a.length - b.length
  return (a[at] ?? 0) - (b[at] ?? -1)
}

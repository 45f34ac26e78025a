// dnssec: What names hold in the DNS, proven by signatures from the root down, and the names that people pay (BIP-353). It
// reads no clock and asks no server: the records come from whoever had them, and none is believed without its signatures.

import { concatBytes, equalBytes } from '../bitcoin/bytes.ts'
import { deniesName } from './denial.ts'
import { type DnsRecord, TYPES } from './dns-message.ts'
import {
  ancestorOf,
  type DomainName,
  encodeDomainName,
  equalNames,
  isWithin,
} from './domain-name.ts'
import {
  digestKey,
  isStrong,
  isStrongAlgorithm,
  isStrongDigest,
  verifyBytes,
} from './key-algorithms.ts'
import { mostTelling, NameProofError } from './name-proof-error.ts'
import {
  type DelegationSigner,
  type DnsKey,
  type DnsSignature,
  parseDelegationSigner,
  parseDnsKey,
  parseTarget,
  parseText,
} from './record-data.ts'
import {
  describeSet,
  findSet,
  groupRecords,
  type RecordSet,
  type RecordSets,
  signedBytesOf,
  wildcardOf,
} from './record-sets.ts'

/** The texts of a name. */
export type ProvenTexts = {
  /** Of each TXT record, its strings as one. */
  texts: Uint8Array[]
  /** Seconds since 1970: as long as the least TTL and the first signature to expire allow (BIP-353). */
  validUntil: number
  /** The names on the way, of aliases first, and when the newest signature of each begins, in seconds since 1970. */
  steps: { name: DomainName; signedAt: number }[]
}

export type ProofOptions = {
  /** Digests of the root's keys. */
  anchors: readonly DelegationSigner[]
  /** Seconds since 1970. */
  now: number
}

const MOST_ALIASES = 8
/** Signatures and digests; honest chains need some twenty. */
const MOST_CHECKS = 150
const ZONE_KEY = 0x0100
const REVOKED = 0x0080

type Proof = ProofOptions & {
  sets: RecordSets
  checks: number
  validUntil: number
  keys: Map<string, Promise<DnsKey[]>>
}

/**
 * The texts of a name, through its aliases, out of records that a server sent or a proof holds (RFC 9102), in any order. Each set
 * of them is verified down from the root (RFC 4035, 5). Throws {@link NameProofError}, and MalformedBytesError for broken records.
 */
export async function verifyTexts(
  name: DomainName,
  records: readonly DnsRecord[],
  options: ProofOptions,
): Promise<ProvenTexts> {
  const proof = beginProof(records, options)
  const steps: ProvenTexts['steps'] = []
  let at = name
  for (let alias = 0; alias <= MOST_ALIASES; alias++) {
    const text = findSet(proof.sets, at, TYPES.TXT)
    const set = text ?? findAlias(proof.sets, at)
    if (set === null) throw new NameProofError('missing', describeSet(at, TYPES.TXT))
    const signature = await verifySet(proof, set)
    steps.push({ name: set.name, signedAt: timeNear(signature.inception, options.now) })
    if (text) return { texts: text.data.map(parseText), validUntil: proof.validUntil, steps }
    at = followAlias(set, at)
  }
  throw new NameProofError('endless', describeSet(name, TYPES.CNAME))
}

/** Throws {@link NameProofError} unless the records hold the keys of the root, signed by one that is trusted. */
export async function verifyRootKeys(
  records: readonly DnsRecord[],
  options: ProofOptions,
): Promise<void> {
  await fetchKeys(beginProof(records, options), [])
}

function beginProof(records: readonly DnsRecord[], options: ProofOptions): Proof {
  return {
    ...options,
    sets: groupRecords(records),
    checks: 0,
    validUntil: Number.POSITIVE_INFINITY,
    keys: new Map(),
  }
}

/** The DNAME of a name above (RFC 6672), which servers send with a CNAME of it that nobody has signed; else the CNAME. */
export function findAlias(sets: RecordSets, name: DomainName): RecordSet | null {
  for (let labels = name.length - 1; labels >= 0; labels--) {
    const set = findSet(sets, ancestorOf(name, labels), TYPES.DNAME)
    if (set) return set
  }
  return findSet(sets, name, TYPES.CNAME)
}

export function followAlias({ name, type, data }: RecordSet, from: DomainName): DomainName {
  const [target] = data
  if (target === undefined || data.length > 1)
    throw new NameProofError('forged', describeSet(name, type))
  const kept = type === TYPES.DNAME ? from.slice(0, from.length - name.length) : []
  const next = [...kept, ...parseTarget(target)]
  if (encodeDomainName(next).length <= 255) return next
  throw new NameProofError('endless', describeSet(name, type))
}

/** A signature of the set that counts; throws why none does. */
async function verifySet(proof: Proof, set: RecordSet): Promise<DnsSignature> {
  const failures: NameProofError[] = []
  for (const signature of set.signatures) {
    try {
      await verifySignature(proof, set, signature)
      const wildcard = wildcardOf(set, signature)
      if (wildcard) await verifyNoCloserMatch(proof, set, signature)
      limitValidity(proof, set, signature)
      return signature
    } catch (error) {
      if (!(error instanceof NameProofError)) throw error
      if (error.problem === 'wildcard') throw error
      failures.push(error)
    }
  }
  throw mostTelling(failures) ?? new NameProofError('unsigned', describeSet(set.name, set.type))
}

async function verifySignature(
  proof: Proof,
  set: RecordSet,
  signature: DnsSignature,
): Promise<void> {
  const { name, type } = set
  const subject = describeSet(name, type)
  const { signer } = signature
  // A delegation is signed by the zone above; a wildcard can be no delegation and no alias of a whole tree.
  const isWhole = type === TYPES.DS || type === TYPES.DNAME || type === TYPES.NSEC3
  const isBelow = isWithin(name, signer) && !(type === TYPES.DS && equalNames(name, signer))
  const isExpanded = signature.labels !== name.length - (name[0] === '*' ? 1 : 0)
  if (!isBelow || signature.labels > name.length || (isWhole && isExpanded))
    throw new NameProofError('forged', subject)
  assertCurrent(proof, signature, subject)
  await verifyWith(proof, set, signature, await fetchKeys(proof, signer))
}

/** Throws unless one of the keys made the signature. */
async function verifyWith(
  proof: Proof,
  set: RecordSet,
  signature: DnsSignature,
  keys: readonly DnsKey[],
): Promise<void> {
  const subject = describeSet(set.name, set.type)
  if (!isStrongAlgorithm(signature)) throw new NameProofError('weak', subject)
  const named = keys.filter(
    ({ tag, algorithm }) => tag === signature.tag && algorithm === signature.algorithm,
  )
  if (named.length > 0 && !named.some(isStrong)) throw new NameProofError('weak', subject)
  const signed = signedBytesOf(set, signature)
  for (const key of named.filter(isStrong)) {
    countCheck(proof, subject)
    if (await verifyBytes(key, signature.signature, signed)) return
  }
  throw new NameProofError('forged', subject)
}

/** The keys of a zone, which the zone above vouches for. */
function fetchKeys(proof: Proof, zone: DomainName): Promise<DnsKey[]> {
  const id = JSON.stringify(zone)
  const keys = proof.keys.get(id) ?? verifyKeys(proof, zone)
  proof.keys.set(id, keys)
  return keys
}

async function verifyKeys(proof: Proof, zone: DomainName): Promise<DnsKey[]> {
  const subject = describeSet(zone, TYPES.DNSKEY)
  const delegations = await verifyDelegation(proof, zone)
  const set = findSet(proof.sets, zone, TYPES.DNSKEY)
  if (set === null) throw new NameProofError('unsigned', subject)
  const strong = delegations.filter(signer => isStrongDigest(signer) && isStrongAlgorithm(signer))
  if (strong.length === 0) throw new NameProofError('weak', describeSet(zone, TYPES.DS))
  const keys = set.data.map(parseDnsKey).filter(isZoneKey)
  const entries: DnsKey[] = []
  for (const key of keys) if (await isVouchedFor(proof, zone, key, strong)) entries.push(key)
  const failures: NameProofError[] = []
  for (const signature of set.signatures) {
    try {
      if (!equalNames(signature.signer, zone) || signature.labels !== zone.length)
        throw new NameProofError('forged', subject)
      assertCurrent(proof, signature, subject)
      await verifyWith(proof, set, signature, entries)
      limitValidity(proof, set, signature)
      return keys
    } catch (error) {
      if (!(error instanceof NameProofError)) throw error
      failures.push(error)
    }
  }
  throw mostTelling(failures) ?? new NameProofError('unsigned', subject)
}

async function verifyDelegation(
  proof: Proof,
  zone: DomainName,
): Promise<readonly DelegationSigner[]> {
  if (zone.length === 0) return proof.anchors
  const set = findSet(proof.sets, zone, TYPES.DS)
  if (set === null) throw new NameProofError('unsigned', describeSet(zone, TYPES.DS))
  await verifySet(proof, set)
  return set.data.map(parseDelegationSigner)
}

async function isVouchedFor(
  proof: Proof,
  zone: DomainName,
  key: DnsKey,
  signers: readonly DelegationSigner[],
): Promise<boolean> {
  for (const { tag, algorithm, digestType, digest } of signers) {
    if (tag !== key.tag || algorithm !== key.algorithm) continue
    countCheck(proof, describeSet(zone, TYPES.DNSKEY))
    const subject = concatBytes(encodeDomainName(zone), key.data)
    if (equalBytes(await digestKey(digestType, subject), digest)) return true
  }
  return false
}

/** RFC 4034, 2.1; RFC 5011, 2.1. */
function isZoneKey({ flags, protocol }: DnsKey): boolean {
  return (flags & ZONE_KEY) !== 0 && (flags & REVOKED) === 0 && protocol === 3
}

/** A wildcard answers where there is no name one label longer than what it has in common with the one that was asked for. */
async function verifyNoCloserMatch(
  proof: Proof,
  set: RecordSet,
  { labels, signer }: DnsSignature,
): Promise<void> {
  const nextCloser = ancestorOf(set.name, labels + 1)
  for (const denial of proof.sets.values()) {
    if (!(await deniesName(denial, signer, nextCloser))) continue
    const { signer: zone } = await verifySet(proof, denial)
    if (equalNames(zone, signer)) return
  }
  throw new NameProofError('wildcard', describeSet(set.name, set.type))
}

function assertCurrent({ now }: Proof, signature: DnsSignature, subject: string): void {
  const { inception, expiration } = signature
  const isCurrent = timeNear(inception, now) <= now && now <= timeNear(expiration, now)
  if (!isCurrent) throw new NameProofError('expired', subject)
}

function limitValidity(proof: Proof, { ttl }: RecordSet, signature: DnsSignature): void {
  const { originalTtl, expiration } = signature
  const fresh = proof.now + Math.min(ttl, originalTtl)
  proof.validUntil = Math.min(proof.validUntil, fresh, timeNear(expiration, proof.now))
}

/** Seconds since 1970 of a time that is told modulo 2^32, within 68 years of now (RFC 4034, 3.1.5). */
function timeNear(time: number, now: number): number {
  return now + ((time - now) | 0)
}

function countCheck(proof: Proof, subject: string): void {
  proof.checks++
  if (proof.checks > MOST_CHECKS) throw new NameProofError('endless', subject)
}

import { concatBytes, fromBase64, toBase64 } from '../../bitcoin/bytes.ts'
import { type DnsRecord, TYPES } from '../dns-message.ts'
import { type DomainName, encodeDomainName } from '../domain-name.ts'
import { ROOT_KEY } from './root-key.ts'

/** A zone's key, which signs by ECDSA P-256. */
export type ZoneKey = {
  /** Of its DNSKEY record. */
  data: Uint8Array
  tag: number
  sign(bytes: Uint8Array): Promise<Uint8Array>
}

export type SigningOptions = {
  zone: DomainName
  key: ZoneKey
  /** Seconds since 1970. */
  from: number
  to: number
  /** Labels that are told; those of the name unless given. */
  labels?: number
}

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256' }
const ALGORITHM = 13

/** The key of {@link ROOT_KEY}. */
export async function readRootKey(): Promise<ZoneKey> {
  const point = fromBase64(ROOT_KEY.public.split(' 13 ')[1]?.replaceAll(/\s/g, '') ?? '')
  const secret = /PrivateKey: (\S+)/.exec(ROOT_KEY.private)?.[1] ?? ''
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: toUrl(secret),
    x: toUrl(toBase64(point.subarray(0, 32))),
    y: toUrl(toBase64(point.subarray(32))),
  }
  const key = await crypto.subtle.importKey('jwk', jwk, ECDSA, false, ['sign'])
  return describeKey(key, point)
}

export async function makeZoneKey(flags = 257): Promise<ZoneKey> {
  const pair = await crypto.subtle.generateKey(ECDSA, true, ['sign', 'verify'])
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  return describeKey(pair.privateKey, point.subarray(1), flags)
}

export function keyRecord(zone: DomainName, { data }: ZoneKey, ttl = 300): DnsRecord {
  return { name: zone, type: TYPES.DNSKEY, ttl, data }
}

export async function delegationRecord(
  zone: DomainName,
  { data, tag }: ZoneKey,
  digest: 'SHA-1' | 'SHA-256' = 'SHA-256',
): Promise<DnsRecord> {
  const hash = await crypto.subtle.digest(digest, concatBytes(encodeDomainName(zone), data).slice())
  const head = Uint8Array.of(tag >> 8, tag & 0xff, ALGORITHM, digest === 'SHA-1' ? 1 : 2)
  return { name: zone, type: TYPES.DS, ttl: 300, data: concatBytes(head, new Uint8Array(hash)) }
}

export function textRecord(name: DomainName, ...strings: string[]): DnsRecord {
  const parts = strings.map(text => new TextEncoder().encode(text))
  const data = parts.flatMap(part => [part.length, ...part])
  return { name, type: TYPES.TXT, ttl: 300, data: Uint8Array.from(data) }
}

export function aliasRecord(
  name: DomainName,
  target: DomainName,
  type: number = TYPES.CNAME,
): DnsRecord {
  return { name, type, ttl: 300, data: encodeDomainName(target) }
}

/** The records of one set with the signature over them; `owner` is who signed where a wildcard answers. */
export async function signRecords(
  records: readonly DnsRecord[],
  options: SigningOptions,
): Promise<DnsRecord[]> {
  const [first] = records
  if (first === undefined) throw new Error('records were expected')
  const { name, type, ttl } = first
  const { zone, key, from, to, labels = name.length } = options
  const owner = labels < name.length ? ['*', ...name.slice(name.length - labels)] : name
  const view = new DataView(new ArrayBuffer(18))
  view.setUint16(0, type)
  view.setUint8(2, ALGORITHM)
  view.setUint8(3, labels)
  view.setUint32(4, ttl)
  view.setUint32(8, to)
  view.setUint32(12, from)
  view.setUint16(16, key.tag)
  const head = concatBytes(new Uint8Array(view.buffer), encodeDomainName(zone))
  const sorted = records.toSorted((a, b) => (toText(a.data) < toText(b.data) ? -1 : 1))
  const signed = sorted.map(({ data }) => {
    const rest = new DataView(new ArrayBuffer(10))
    rest.setUint16(0, type)
    rest.setUint16(2, 1)
    rest.setUint32(4, ttl)
    rest.setUint16(8, data.length)
    return concatBytes(encodeDomainName(owner), new Uint8Array(rest.buffer), data)
  })
  const signature = await key.sign(concatBytes(head, ...signed))
  return [...records, { name, type: TYPES.RRSIG, ttl, data: concatBytes(head, signature) }]
}

function describeKey(key: CryptoKey, point: Uint8Array, flags = 257): ZoneKey {
  const data = concatBytes(Uint8Array.of(flags >> 8, flags & 0xff, 3, ALGORITHM), point)
  // RFC 4034, appendix B, word by word.
  const words = new DataView(data.slice().buffer)
  let sum = 0
  for (let at = 0; at < data.length; at += 2) sum += words.getUint16(at)
  return {
    data,
    tag: (sum + (sum >>> 16)) & 0xffff,
    async sign(bytes) {
      const how = { name: 'ECDSA', hash: 'SHA-256' }
      return new Uint8Array(await crypto.subtle.sign(how, key, bytes.slice()))
    },
  }
}

/** In an order that is that of the bytes. */
function toText(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

function toUrl(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

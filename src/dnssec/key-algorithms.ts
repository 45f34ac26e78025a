import { toBase64 } from '../bitcoin/bytes.ts'
import type { DelegationSigner, DnsKey } from './record-data.ts'

/** By the numbers of the IANA. SHA-1 (5, 7) is refused (BIP-353), as are DSA, GOST, private and unknown ones. */
const RSA: { readonly [algorithm: number]: 'SHA-256' | 'SHA-512' } = { 8: 'SHA-256', 10: 'SHA-512' }
const ECDSA: { readonly [algorithm: number]: { curve: string; hash: string; size: number } } = {
  13: { curve: 'P-256', hash: 'SHA-256', size: 32 },
  14: { curve: 'P-384', hash: 'SHA-384', size: 48 },
}
const ED25519 = 15
/** Of a DS record; SHA-1 (1) is refused. */
const DIGESTS: { readonly [digestType: number]: 'SHA-256' | 'SHA-384' } = {
  2: 'SHA-256',
  4: 'SHA-384',
}

const LEAST_RSA_BITS = 1024
const MOST_RSA_BITS = 4096

/** Whether a signature of this key can count at all: BIP-353 wants no SHA-1, and no RSA below 1024 bits. */
export function isStrong({
  algorithm,
  publicKey,
}: Pick<DnsKey, 'algorithm' | 'publicKey'>): boolean {
  if (RSA[algorithm]) {
    const bits = countBits(readRsaKey(publicKey)?.modulus ?? new Uint8Array())
    return bits >= LEAST_RSA_BITS && bits <= MOST_RSA_BITS
  }
  return isStrongAlgorithm({ algorithm })
}

export function isStrongAlgorithm({ algorithm }: Pick<DnsKey, 'algorithm'>): boolean {
  return RSA[algorithm] !== undefined || ECDSA[algorithm] !== undefined || algorithm === ED25519
}

/** Whether a delegation's digest can count. */
export function isStrongDigest({ digestType }: Pick<DelegationSigner, 'digestType'>): boolean {
  return DIGESTS[digestType] !== undefined
}

/** The digest by which a delegation names a key; `subject` is the name of the zone and the key's data (RFC 4034, 5.1.4). */
export async function digestKey(digestType: number, subject: Uint8Array): Promise<Uint8Array> {
  const digest = await crypto.subtle.digest(DIGESTS[digestType] ?? 'SHA-256', ownBytes(subject))
  return new Uint8Array(digest)
}

/** Whether a signature of these bytes is of the key, by WebCrypto; false for keys that are none or that the browser does not know. */
export async function verifyBytes(
  { algorithm, publicKey }: Pick<DnsKey, 'algorithm' | 'publicKey'>,
  signature: Uint8Array,
  signed: Uint8Array,
): Promise<boolean> {
  try {
    const { key, how } = await importKey(algorithm, publicKey)
    return await crypto.subtle.verify(how, key, ownBytes(signature), ownBytes(signed))
  } catch {
    return false
  }
}

async function importKey(
  algorithm: number,
  publicKey: Uint8Array,
): Promise<{ key: CryptoKey; how: AlgorithmIdentifier | EcdsaParams }> {
  const hash = RSA[algorithm]
  if (hash) {
    const parts = readRsaKey(publicKey)
    if (!parts) throw new Error('dnssec: expected an RSA key')
    const jwk = { kty: 'RSA', n: toBase64Url(parts.modulus), e: toBase64Url(parts.exponent) }
    const how = { name: 'RSASSA-PKCS1-v1_5', hash }
    return { key: await crypto.subtle.importKey('jwk', jwk, how, false, ['verify']), how }
  }
  const curve = ECDSA[algorithm]
  if (curve) {
    if (publicKey.length !== 2 * curve.size) throw new Error('dnssec: expected a point')
    // RFC 6605: without the byte that says that both coordinates follow.
    const point = Uint8Array.of(4, ...publicKey)
    const kind = { name: 'ECDSA', namedCurve: curve.curve }
    const key = await crypto.subtle.importKey('raw', point, kind, false, ['verify'])
    return { key, how: { name: 'ECDSA', hash: curve.hash } }
  }
  const how = { name: 'Ed25519' }
  const key = await crypto.subtle.importKey('raw', ownBytes(publicKey), how, false, ['verify'])
  return { key, how }
}

/** RFC 3110, 2; null for what is no key. Leading zeros are no part of a number. */
function readRsaKey(data: Uint8Array): { exponent: Uint8Array; modulus: Uint8Array } | null {
  const isLong = data[0] === 0
  const start = isLong ? 3 : 1
  const length = isLong ? (data[1] ?? 0) * 256 + (data[2] ?? 0) : (data[0] ?? 0)
  const exponent = trimZeros(data.subarray(start, start + length))
  const modulus = trimZeros(data.subarray(start + length))
  return exponent.length === 0 || modulus.length === 0 ? null : { exponent, modulus }
}

function countBits(number: Uint8Array): number {
  const [first] = number
  return first === undefined ? 0 : number.length * 8 - (Math.clz32(first) - 24)
}

function trimZeros(number: Uint8Array): Uint8Array {
  const first = number.findIndex(byte => byte !== 0)
  return first === -1 ? new Uint8Array() : number.subarray(first)
}

function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** A copy whose memory nothing shares, as WebCrypto's types want it. */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}

import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { concatBytes, fromBase64, fromHex, toHex } from '../bitcoin/bytes.ts'
import { type DomainName, encodeDomainName, parseDomainName } from './domain-name.ts'
import { digestKey, isStrong, isStrongDigest, verifyBytes } from './key-algorithms.ts'
import { parseDnsKey, parseSignature } from './record-data.ts'
import { groupRecords, signedBytesOf } from './record-sets.ts'
import rfcSignatures from './testing/vectors/rfc-signatures.json' with { type: 'json' }

const nameOf = (text: string): DomainName => parseDomainName(text) ?? []

/** An RRSIG record as its zone file has it. */
function signatureData(vector: (typeof rfcSignatures)[number]): Uint8Array {
  const { type, key, name, ttl, tag, zone, signature } = vector
  const head = new DataView(new ArrayBuffer(18))
  head.setUint16(0, type)
  head.setUint8(2, key.algorithm)
  head.setUint8(3, nameOf(name).length)
  head.setUint32(4, ttl)
  head.setUint32(8, Date.parse(vector.expiration) / 1000)
  head.setUint32(12, Date.parse(vector.inception) / 1000)
  head.setUint16(16, tag)
  const signer = encodeDomainName(nameOf(zone))
  return concatBytes(new Uint8Array(head.buffer), signer, fromBase64(signature))
}

function readKey({ key }: (typeof rfcSignatures)[number]) {
  const head = Uint8Array.of(key.flags >> 8, key.flags & 0xff, 3, key.algorithm)
  return parseDnsKey(concatBytes(head, fromBase64(key.publicKey)))
}

describe.each(rfcSignatures)('the example of $rfc', vector => {
  it('has the tag and the digest of its key', async () => {
    const key = readKey(vector)
    expect(key.tag).toBe(vector.tag)
    const subject = concatBytes(encodeDomainName(nameOf(vector.zone)), key.data)
    expect(toHex(await digestKey(vector.digestType, subject))).toBe(vector.digest)
  })
  it('has a good signature, and none of other records or by another key', async () => {
    const key = readKey(vector)
    const data = fromHex(vector.data)
    const record = { name: nameOf(vector.name), type: vector.type, ttl: vector.ttl, data }
    const signature = parseSignature(signatureData(vector))
    const sets = (records: (typeof record)[]) => [...groupRecords(records).values()]
    const [set] = sets([record])
    const [more] = sets([record, { ...record, data: Uint8Array.of(1, ...data) }])
    if (!set || !more) throw new Error('a set was expected')
    expect(isStrong(key)).toBe(true)
    expect(await verifyBytes(key, signature.signature, signedBytesOf(set, signature))).toBe(true)
    expect(await verifyBytes(key, signature.signature, signedBytesOf(more, signature))).toBe(false)
    for (const other of rfcSignatures.filter(({ rfc }) => rfc !== vector.rfc)) {
      const signed = signedBytesOf(set, signature)
      expect(await verifyBytes(readKey(other), signature.signature, signed)).toBe(false)
    }
  })
})

describe('a key', () => {
  const rsaKey = (bits: number) => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits })
    const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
    const [modulus, exponent] = [n, e].map(text => new Uint8Array(Buffer.from(text, 'base64url')))
    const publicBytes = concatBytes(
      Uint8Array.of(exponent?.length ?? 0),
      exponent ?? new Uint8Array(),
      modulus ?? new Uint8Array(),
    )
    return { algorithm: 8, publicKey: publicBytes }
  }
  it('of RSA counts from 1024 bits on, up to what resolvers take', () => {
    expect(isStrong(rsaKey(1024))).toBe(true)
    expect(isStrong(rsaKey(1016))).toBe(false)
    expect(isStrong({ algorithm: 8, publicKey: new Uint8Array([1, 3, 1, ...Array(512)]) })).toBe(
      false,
    )
    // Zeros before a short number make it no longer.
    const short = rsaKey(512).publicKey
    const padded = concatBytes(short.subarray(0, 4), new Uint8Array(64), short.subarray(4))
    expect(isStrong({ algorithm: 8, publicKey: padded })).toBe(false)
    for (const broken of [[], [0], [0, 0, 0], [200, 1], [1, 0]])
      expect(isStrong({ algorithm: 8, publicKey: Uint8Array.from(broken) })).toBe(false)
  })
  it('of SHA-1 and all that is unknown does not count, nor does a digest by it', () => {
    const publicKey = rsaKey(2048).publicKey
    const strong = Array.from({ length: 256 }, (_, algorithm) => algorithm).filter(algorithm =>
      isStrong({ algorithm, publicKey }),
    )
    expect(strong).toEqual([8, 10, 13, 14, 15])
    expect([0, 1, 2, 3, 4, 5].filter(digestType => isStrongDigest({ digestType }))).toEqual([2, 4])
  })
})

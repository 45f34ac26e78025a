import { sha256 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../bitcoin/bytes.ts'
import { type DnsRecord, parseRecords, TYPES } from './dns-message.ts'
import { type DomainName, encodeDomainName } from './domain-name.ts'
import { parsePaymentName } from './payment-name.ts'
import { parseDelegationSigner } from './record-data.ts'
import { REGTEST_ANCHORS, ROOT_ANCHORS } from './root-anchors.ts'
import {
  aliasRecord,
  delegationRecord,
  keyRecord,
  makeZoneKey,
  readRootKey,
  type SigningOptions,
  signRecords,
  textRecord,
  type ZoneKey,
} from './testing/signed-records.ts'
import bip353 from './testing/vectors/bip353.json' with { type: 'json' }
import { verifyTexts } from './verify-text.ts'

const NOW = 1_800_000_000
const WHEN = { from: NOW - 1000, to: NOW + 1000 }
const ROOT: DomainName = []
const TOP = ['test']
const ZONE = ['own', 'test']
const NAME = ['a', 'user', '_bitcoin-payment', 'own', 'test']

const root = await readRootKey()
const [top, own, other] = await Promise.all([makeZoneKey(), makeZoneKey(), makeZoneKey()])

/** The signed chain of a zone below `test`, in sets that tests leave out or replace. */
async function chainOf(zone: DomainName, key: ZoneKey, when = WHEN) {
  const below = (of: DomainName, signer: ZoneKey): SigningOptions => ({
    ...{ zone: of, key: signer, ...when },
  })
  return {
    rootKeys: await signRecords([keyRecord(ROOT, root)], below(ROOT, root)),
    topDigest: await signRecords([await delegationRecord(TOP, top)], below(ROOT, root)),
    topKeys: await signRecords([keyRecord(TOP, top)], below(TOP, top)),
    digest: await signRecords([await delegationRecord(zone, key)], below(TOP, top)),
    keys: await signRecords([keyRecord(zone, key)], below(zone, key)),
  }
}

type Sets = { [set: string]: DnsRecord[] }

const chain = await chainOf(ZONE, own)
const sign = (records: DnsRecord[], changes: Partial<SigningOptions> = {}) =>
  signRecords(records, { zone: ZONE, key: own, ...WHEN, ...changes })
const text = await sign([textRecord(NAME, 'hello')])

async function verify(sets: Sets, now = NOW, name: DomainName = NAME) {
  const records = Object.values({ ...chain, ...sets }).flat()
  return verifyTexts(name, records, { anchors: REGTEST_ANCHORS, now })
}

async function problemOf(sets: Sets, now = NOW, name: DomainName = NAME): Promise<unknown> {
  return verify(sets, now, name).then(
    () => 'proven',
    error => error.problem,
  )
}

describe('a text', () => {
  it('is proven by signatures from the root down, in any order of the records', async () => {
    const { texts, validUntil, steps } = await verify({ text: text.toReversed() })
    expect(texts.map(bytes => new TextDecoder().decode(bytes))).toEqual(['hello'])
    expect(validUntil).toBe(NOW + 300)
    expect(steps).toEqual([{ name: NAME, signedAt: WHEN.from }])
  })
  it('counts until the first signature ends, or the least TTL that was signed or sent', async () => {
    expect((await verify({ text }, WHEN.to - 10)).validUntil).toBe(WHEN.to)
    const sent = text.map(record => ({ ...record, ttl: 7 }))
    expect((await verify({ text: sent })).validUntil).toBe(NOW + 7)
    // A larger TTL than the signed one is the server's alone.
    const longer = text.map(record => ({ ...record, ttl: 9999 }))
    expect((await verify({ text: longer })).validUntil).toBe(NOW + 300)
  })
  it('counts within its times alone, the bounds included', async () => {
    expect(await problemOf({ text }, WHEN.from)).toBe('proven')
    expect(await problemOf({ text }, WHEN.to)).toBe('proven')
    expect(await problemOf({ text }, WHEN.from - 1)).toBe('expired')
    expect(await problemOf({ text }, WHEN.to + 1)).toBe('expired')
    for (const set of Object.keys(chain)) {
      const old = await chainOf(ZONE, own, { from: NOW - 50, to: NOW - 1 })
      expect(await problemOf({ text, [set]: old[set as keyof typeof old] }), set).toBe('expired')
    }
  })
  it('is refused as unsigned where a signature or a link of the chain is missing', async () => {
    const unsigned = (records: DnsRecord[]) => records.filter(({ type }) => type !== TYPES.RRSIG)
    expect(await problemOf({ text: unsigned(text) })).toBe('unsigned')
    for (const [set, records] of Object.entries(chain)) {
      expect(await problemOf({ text, [set]: unsigned(records) }), set).toBe('unsigned')
      expect(await problemOf({ text, [set]: [] }), set).toBe('unsigned')
    }
  })
  it('is refused where somebody else signed it', async () => {
    expect(await problemOf({ text: await sign([textRecord(NAME, 'hello')], { key: other }) })).toBe(
      'forged',
    )
    // The key of a sibling, which is as sound as this one, and of a zone below.
    const sibling = ['other', 'test']
    const { digest, keys } = await chainOf(sibling, other)
    const byOther = { zone: sibling, key: other, ...WHEN }
    const signed = await signRecords([textRecord(NAME, 'hello')], byOther)
    expect(await problemOf({ text: signed, otherDigest: digest, otherKeys: keys })).toBe('forged')
  })
  it('is refused where a zone vouches for itself', async () => {
    const digest = await sign([await delegationRecord(ZONE, own)])
    expect(await problemOf({ text, digest })).toBe('forged')
  })
  it('is refused where the key is another than the zone above has', async () => {
    const { keys } = await chainOf(ZONE, other)
    const signed = await sign([textRecord(NAME, 'hello')], { key: other })
    expect(await problemOf({ text: signed, keys })).toBe('forged')
    // Both keys, signed by the one that is not vouched for.
    const both = await sign([keyRecord(ZONE, own), keyRecord(ZONE, other)], { key: other })
    expect(await problemOf({ text: signed, keys: both })).toBe('forged')
  })
  it('is refused where the key is revoked or is none of a zone', async () => {
    for (const flags of [257 + 0x80, 1]) {
      const key = await makeZoneKey(flags)
      const { digest, keys } = await chainOf(ZONE, key)
      const signed = await sign([textRecord(NAME, 'hello')], { key })
      expect(await problemOf({ text: signed, digest, keys }), String(flags)).toBe('forged')
    }
  })
  it('is refused where the zone above has a digest by SHA-1 alone', async () => {
    const signing = { zone: TOP, key: top, ...WHEN }
    const weak = await delegationRecord(ZONE, own, 'SHA-1')
    expect(await problemOf({ text, digest: await signRecords([weak], signing) })).toBe('weak')
    const both = [weak, await delegationRecord(ZONE, own)]
    expect(await problemOf({ text, digest: await signRecords(both, signing) })).toBe('proven')
  })
  it('is all of what was signed: one more, one less or another is refused', async () => {
    const two = [textRecord(NAME, 'one'), textRecord(NAME, 'two')]
    const signed = await sign(two)
    expect((await verify({ text: signed })).texts).toHaveLength(2)
    expect(await problemOf({ text: signed.slice(1) })).toBe('forged')
    expect(await problemOf({ text: [...signed, textRecord(NAME, 'three')] })).toBe('forged')
    expect(await problemOf({ text: [textRecord(NAME, 'tvo'), ...signed.slice(1)] })).toBe('forged')
    // The same record twice is one (RFC 4034, 6.3).
    expect((await verify({ text: [...signed, ...two] })).texts).toHaveLength(2)
  })
})

describe('an alias', () => {
  const target = ['b', 'own', 'test']
  it('is followed where it is signed, as is what it leads to', async () => {
    const alias = await sign([aliasRecord(NAME, target)])
    const end = await sign([textRecord(target, 'there')])
    expect((await verify({ alias, end })).steps.map(({ name }) => name)).toEqual([NAME, target])
    expect(await problemOf({ alias: alias.slice(0, 1), end })).toBe('unsigned')
    expect(await problemOf({ alias, end: end.slice(0, 1) })).toBe('unsigned')
  })
  it('of a whole tree is followed, and the alias that servers make of it is not believed', async () => {
    const tree = await sign([aliasRecord(NAME.slice(1), ZONE, TYPES.DNAME)])
    const end = await sign([textRecord(['a', ...ZONE], 'there')])
    const made = [aliasRecord(NAME, ['evil', 'test'])]
    expect(await problemOf({ tree, end, made })).toBe('proven')
  })
  it('in a circle, or one of many, is refused', async () => {
    const names = Array.from({ length: 12 }, (_, at) => [`n${at}`, 'own', 'test'])
    const aliases = await Promise.all(
      names.map((name, at) => sign([aliasRecord(name, names[(at + 1) % 12] ?? [])])),
    )
    expect(await problemOf({ aliases: aliases.flat() }, NOW, names[0])).toBe('endless')
  })
})

describe('a wildcard', () => {
  const wild = () => sign([textRecord(NAME, 'wild')], { labels: NAME.length - 1 })
  const denial = (owner: DomainName, next: DomainName, types = [0, 6, 0x40, 1, 0, 0, 0, 3]) =>
    sign([
      {
        ...{ name: owner, type: TYPES.NSEC, ttl: 300 },
        data: Uint8Array.from([...encodeDomainName(next), ...types]),
      },
    ])
  const NS_ONLY = [0, 1, 0x20]
  const parent = NAME.slice(1)

  it('answers where the zone denies that there is a closer name', async () => {
    const text = await wild()
    expect(
      await problemOf({ text, denial: await denial(['*', ...parent], ['b', ...parent]) }),
    ).toBe('proven')
    // The last name of the zone, from which the zone itself is the next.
    expect(await problemOf({ text, denial: await denial(parent, ZONE) })).toBe('proven')
  })
  it('does not answer without that, or where the denial says less', async () => {
    const text = await wild()
    expect(await problemOf({ text })).toBe('wildcard')
    for (const [owner, next] of [
      [
        ['b', ...parent],
        ['c', ...parent],
      ],
      [parent, ['a', ...parent]],
      [
        ['a', ...parent],
        ['b', ...parent],
      ],
      // There is a name below the one that was asked for, so that it is there itself.
      [parent, ['x', 'a', ...parent]],
    ] as const)
      expect(await problemOf({ text, denial: await denial(owner, next) }), next.join('.')).toBe(
        'wildcard',
      )
    // A cut: what is below belongs to another zone.
    expect(await problemOf({ text, denial: await denial(parent, ZONE, NS_ONLY) })).toBe('wildcard')
    const unsigned = (await denial(parent, ZONE)).slice(0, 1)
    expect(await problemOf({ text, denial: unsigned })).toBe('unsigned')
  })
})

describe('a proof of BIP-353 with any byte changed', () => {
  it('proves the same or nothing', async () => {
    const [vector] = bip353.valid
    const bytes = fromHex(vector?.proof ?? '')
    const length = (bytes[0] ?? 0) + 1
    const name = parsePaymentName(vector?.name ?? '')?.domainName ?? []
    const now = Date.parse(`${vector?.day}T12:00:00Z`) / 1000
    const read = async (proof: Uint8Array) => {
      const options = { anchors: ROOT_ANCHORS, now }
      const { texts } = await verifyTexts(name, parseRecords(proof), options)
      return texts.map(text => new TextDecoder().decode(text))
    }
    const whole = await read(bytes.subarray(length))
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: length, max: bytes.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, flip) => {
          const changed = bytes.slice()
          changed[at] = (changed[at] ?? 0) ^ flip
          const found = await read(changed.subarray(length)).catch(() => whole)
          expect(found).toEqual(whole)
        },
      ),
      { numRuns: 150 },
    )
  })
})

it('trusts the keys that sign the root of the DNS, which are in the proofs of the BIP', async () => {
  const records = bip353.valid.flatMap(({ name, proof }) =>
    parseRecords(fromHex(proof).subarray(name.length + 1)),
  )
  const keys = records.filter(({ name, type }) => type === TYPES.DNSKEY && name.length === 0)
  const digests = keys.map(({ data }) => toHex(sha256(Uint8Array.of(0, ...data))))
  for (const { digest } of ROOT_ANCHORS) expect(digests).toContain(toHex(digest))
  const digest = await delegationRecord(ROOT, root)
  expect(parseDelegationSigner(digest.data)).toEqual(REGTEST_ANCHORS[0])
})

import fc from 'fast-check'
import { p2tr_ord_reveal, type Tags } from 'micro-ordinals'
import { CBOR } from 'micro-ordinals/cbor.js'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { noise } from '../testing/noise.ts'
import { parseEnvelopes } from './envelope.ts'
import { buildEnvelope, buildInscriptionLeaf, type EnvelopeContent } from './envelope-script.ts'
import { parseInscription } from './inscription.ts'

const KEY = new Uint8Array(32).fill(0x79)
const SIZES = [0, 1, 75, 76, 255, 256, 519, 520, 521, 1040, 1041, 390_000]
const text = fc.string({ unit: 'grapheme', maxLength: 60 }).filter(text => text.length > 0)
const id = fc
  .tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.integer({ min: 0, max: 0xffffffff }))
  .map(([txid, index]) => `${toHex(txid)}i${index}`)

/** A content, with the metadata as the value that its CBOR stands for. */
const randomContent = fc.record(
  {
    contentType: text,
    contentEncoding: text,
    metaprotocol: text,
    parents: fc.array(id, { minLength: 1, maxLength: 3 }),
    delegate: id,
    pointer: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    metadata: fc.dictionary(text, fc.oneof(fc.string(), fc.integer(), fc.boolean())),
  },
  { requiredKeys: ['contentType'] },
)

describe('an envelope', () => {
  it('is the bytes of the specification, tags and single bytes as pushes', () => {
    const script = buildEnvelope({ contentType: 'text/plain', body: Uint8Array.of(1) })
    expect(toHex(script)).toBe('0063036f726401010a746578742f706c61696e00010168')
  })

  it('without a body has no tag of the body, with an empty one it has', () => {
    expect(toHex(buildEnvelope({}))).toBe('0063036f726468')
    expect(toHex(buildEnvelope({ body: new Uint8Array() }))).toBe('0063036f72640068')
  })

  it('is refused for a field that would not fit one push, and for a pointer beyond 64 bits', () => {
    expect(() => buildEnvelope({ contentType: 'x'.repeat(520) })).not.toThrow()
    for (const content of [
      { contentType: 'x'.repeat(521) },
      { metaprotocol: 'ü'.repeat(261) },
      { pointer: 2n ** 64n },
      { pointer: -1n },
    ])
      expect(() => buildEnvelope(content)).toThrow(RangeError)
    expect(() => buildEnvelope({ parents: ['x'] })).toThrow('inscription id')
  })
})

describe('an inscription leaf', () => {
  it.each(SIZES)(
    'with a body of %i bytes is that of the independent builder, and reads back',
    size => {
      const body = noise(size, size)
      const leaf = buildInscriptionLeaf(KEY, [{ contentType: 'image/png', body }])
      expect(sameBytes(leaf, buildByOracle([{ tags: { contentType: 'image/png' }, body }]))).toBe(
        true,
      )
      const [envelope, ...others] = parseEnvelopes([[leaf, KEY]])
      expect(sameBytes(envelope?.fields.body, body)).toBe(true)
      expect(others).toEqual([])
    },
  )

  it.each([1, 521, 1041])('with each byte as the last of %i is a push of it', size => {
    for (let last = 0; last < 256; last++) {
      const body = noise(size, last).fill(last, -1)
      const leaf = buildInscriptionLeaf(KEY, [{ contentType: 'a', body }])
      expect(sameBytes(leaf, buildByOracle([{ tags: { contentType: 'a' }, body }]))).toBe(true)
      expect([...leaf.slice(-3)]).toEqual([1, last, 0x68])
      const [envelope] = parseEnvelopes([[leaf, KEY]])
      expect(envelope).toMatchObject({ pushnum: false, stutter: false })
      expect(sameBytes(envelope?.fields.body, body)).toBe(true)
    }
  })

  it('with any fields is that of the independent builder, and means what was asked for', () => {
    const item = fc.tuple(randomContent, fc.constantFrom(0, 1, 76, 521), fc.nat())
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 3 }), items => {
        const contents = items.map(([{ metadata, ...fields }, size, seed]) => ({
          ...fields,
          ...(metadata && { metadata: CBOR.encode(metadata) }),
          body: noise(size, seed),
        }))
        const leaf = buildInscriptionLeaf(KEY, contents)
        const asked = items.map(([fields], i) => ({
          tags: oracleTags(fields),
          body: contents[i]?.body ?? KEY,
        }))
        expect(toHex(leaf)).toBe(toHex(buildByOracle(asked)))
        const found = parseEnvelopes([[leaf, KEY]])
        expect(found.map(({ fields }) => parseInscription(fields))).toEqual(contents.map(meaningOf))
        for (const { pushnum, stutter, incompleteField, unrecognizedEvenField } of found)
          expect([pushnum, stutter, incompleteField, unrecognizedEvenField]).not.toContain(true)
      }),
    )
  })

  it('splits metadata over as many fields as it takes', () => {
    const metadata = CBOR.encode('x'.repeat(1500))
    const leaf = buildInscriptionLeaf(KEY, [{ metadata, body: new Uint8Array() }])
    const asked = { tags: { metadata: 'x'.repeat(1500) }, body: new Uint8Array() }
    expect(toHex(leaf)).toBe(toHex(buildByOracle([asked])))
    expect(parseEnvelopes([[leaf, KEY]])[0]?.fields.metadata).toEqual(metadata)
  })

  it('is refused for a key that is not x-only', () => {
    expect(() => buildInscriptionLeaf(new Uint8Array(33), [{}])).toThrow(RangeError)
  })
})

function buildByOracle(inscriptions: { tags: Tags; body: Uint8Array }[]): Uint8Array {
  return p2tr_ord_reveal(KEY, inscriptions).script
}

/** The oracle writes fields in the order of its object, and takes several parents as a list although its types do not say so. */
function oracleTags(fields: typeof randomContent extends fc.Arbitrary<infer T> ? T : never): Tags {
  const { contentType, contentEncoding, metaprotocol, parents, delegate, pointer, metadata } =
    fields
  const tags = {
    contentType,
    contentEncoding,
    metaprotocol,
    parent: parents,
    delegate,
    pointer,
    metadata,
  }
  const given = Object.entries(tags).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Tags
}

function meaningOf(content: EnvelopeContent) {
  const { contentEncoding } = content
  const isHeader = contentEncoding !== undefined && /^[\t\x20-\x7e]*$/.test(contentEncoding)
  return {
    contentType: content.contentType ?? null,
    contentLength: content.body?.length ?? null,
    contentEncoding: isHeader ? contentEncoding : null,
    metaprotocol: content.metaprotocol ?? null,
    pointer: content.pointer ?? null,
    parents: content.parents ?? [],
    delegate: content.delegate ?? null,
    metadata: content.metadata ?? null,
  }
}

/** As equality of values, without the test runner's slow walk through large arrays. */
function sameBytes(a: Uint8Array | undefined | null, b: Uint8Array): boolean {
  return !!a && Buffer.compare(a, b) === 0
}

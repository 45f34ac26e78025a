import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { assemble } from '../testing/assemble.ts'
import { type Envelope, type EnvelopeFields, parseEnvelopes } from './envelope.ts'

type Part = number | string | Uint8Array
type Expected = Partial<Omit<Envelope, 'fields'>> & { fields?: Partial<EnvelopeFields> }

const FALSE = 0x00
const PUSHDATA1 = 0x4c
const IF = 0x63
const ENDIF = 0x68
const AND = 0x84
const CHECKSIG = 0xac
const OPEN = [FALSE, IF, 'ord'] as const
const EMPTY = new Uint8Array()
const TEXT = 'text/plain;charset=utf-8'
const STUTTER: Expected = { stutter: true }
const foo = { body: toUtf8('foo') }

const tag = (byte: number) => Uint8Array.of(byte)
const envelope = (...pushes: Part[]) => [...OPEN, ...pushes, ENDIF]

/** The behaviours that ord's own tests of its parser name, each with the script that shows it. */
const CASES: { behaviour: string; script: Part[]; found: Expected[] }[] = [
  { behaviour: 'an empty script has none', script: [], found: [] },
  { behaviour: 'an envelope may be empty', script: envelope(), found: [{}] },
  { behaviour: 'the protocol must be named', script: [FALSE, IF, ENDIF], found: [] },
  { behaviour: 'another protocol is none', script: [FALSE, IF, 'foo', ENDIF], found: [] },
  { behaviour: 'a longer protocol is none', script: [FALSE, IF, 'ordx', ENDIF], found: [] },
  { behaviour: 'it must begin with a false', script: [IF, 'ord', ENDIF], found: [] },
  { behaviour: 'it must end', script: [...OPEN], found: [] },
  { behaviour: 'a script with a cut push has none', script: [...envelope(), 0x01], found: [] },
  {
    behaviour: 'a cut length of a push spoils the script as well',
    script: [...envelope(), 0x4d, 0x01],
    found: [],
  },
  {
    behaviour: 'any encoding of a push counts',
    script: [PUSHDATA1, 0, IF, PUSHDATA1, 'ord', PUSHDATA1, 0, PUSHDATA1, 'foo', ENDIF],
    found: [{ fields: foo }],
  },
  {
    behaviour: 'a type and a body are read',
    script: envelope(tag(1), TEXT, EMPTY, 'foo'),
    found: [{ fields: { contentType: toUtf8(TEXT), ...foo } }],
  },
  {
    behaviour: 'a type may stand alone',
    script: envelope(tag(1), TEXT),
    found: [{ fields: { contentType: toUtf8(TEXT) } }],
  },
  { behaviour: 'a body may stand alone', script: envelope(EMPTY, 'foo'), found: [{ fields: foo }] },
  {
    behaviour: 'a body is joined from its pushes',
    script: envelope(EMPTY, 'f', 'o', EMPTY, 'o'),
    found: [{ fields: foo }],
  },
  {
    behaviour: 'a body of no pushes is empty',
    script: envelope(EMPTY),
    found: [{ fields: { body: EMPTY } }],
  },
  {
    behaviour: 'a body of empty pushes is empty',
    script: envelope(EMPTY, EMPTY, EMPTY, EMPTY),
    found: [{ fields: { body: EMPTY } }],
  },
  {
    behaviour: 'any bytes make a body',
    script: envelope(EMPTY, tag(0x80)),
    found: [{ fields: { body: tag(0x80) } }],
  },
  {
    behaviour: 'tags after the body tag belong to the body',
    script: envelope(EMPTY, tag(1), 'x'),
    found: [{ fields: { body: fromHex('0178') } }],
  },
  {
    behaviour: 'what follows is ignored',
    script: [...envelope(EMPTY, 'foo'), CHECKSIG],
    found: [{ fields: foo }],
  },
  {
    behaviour: 'what goes before is ignored',
    script: [CHECKSIG, ...envelope(EMPTY, 'foo')],
    found: [{ fields: foo }],
  },
  {
    behaviour: 'several are counted',
    script: [...envelope(EMPTY, 'foo'), CHECKSIG, ...envelope()],
    found: [{ fields: foo }, { offset: 1 }],
  },
  {
    behaviour: 'every field is read',
    script: envelope(
      ...[2, 7, 9, 11, 13, 17, 19].flatMap(field => [tag(field), tag(field + 100)]),
      ...[tag(3), tag(103)],
    ),
    found: [
      {
        fields: {
          pointer: tag(102),
          parents: [tag(103)],
          metaprotocol: tag(107),
          contentEncoding: tag(109),
          delegate: tag(111),
          rune: tag(113),
          properties: tag(117),
          propertyEncoding: tag(119),
        },
      },
    ],
  },
  {
    behaviour: 'a value may be empty, which is no body tag',
    script: envelope(tag(5), EMPTY, tag(2), EMPTY),
    found: [{ fields: { metadata: EMPTY, pointer: EMPTY } }],
  },
  { behaviour: 'unknown odd fields are ignored', script: envelope(tag(255), 'x'), found: [{}] },
  {
    behaviour: 'an unknown even field is told',
    script: envelope(tag(22), tag(0)),
    found: [{ unrecognizedEvenField: true }],
  },
  {
    behaviour: 'tag 66 is such a field',
    script: envelope(tag(66), tag(1)),
    found: [{ unrecognizedEvenField: true }],
  },
  {
    behaviour: 'tag 0 of one byte is such a field, not the body',
    script: envelope(tag(0), 'x'),
    found: [{ unrecognizedEvenField: true }],
  },
  {
    behaviour: 'a longer tag is even by its first byte, and never a known one',
    script: envelope(fromHex('0201'), 'x'),
    found: [{ unrecognizedEvenField: true }],
  },
  {
    behaviour: 'a longer tag is odd by its first byte, and never a known one',
    script: envelope(fromHex('0102'), 'x'),
    found: [{}],
  },
  {
    behaviour: 'an even tag without a value is incomplete only',
    script: envelope(tag(22)),
    found: [{ incompleteField: true }],
  },
  {
    behaviour: 'a tag without a value is told',
    script: envelope(tag(1), 'x', tag(99)),
    found: [{ fields: { contentType: toUtf8('x') }, incompleteField: true }],
  },
  {
    behaviour: 'a field that stands twice is told, even one that is ignored',
    script: envelope(tag(255), EMPTY, tag(255), EMPTY),
    found: [{ duplicateField: true }],
  },
  {
    behaviour: 'the first value of a field counts',
    script: envelope(tag(1), 'x', tag(1), 'y'),
    found: [{ fields: { contentType: toUtf8('x') }, duplicateField: true }],
  },
  {
    behaviour: 'a second pointer is an even field that nobody reads',
    script: envelope(tag(2), tag(1), tag(2), tag(0)),
    found: [{ fields: { pointer: tag(1) }, duplicateField: true, unrecognizedEvenField: true }],
  },
  {
    behaviour: 'metadata and properties are joined, and still count as twice there',
    script: envelope(tag(5), tag(0), tag(17), tag(2), tag(5), tag(1), tag(17), tag(3)),
    found: [
      {
        fields: { metadata: fromHex('0001'), properties: fromHex('0203') },
        duplicateField: true,
      },
    ],
  },
  {
    behaviour: 'several parents are kept apart, and count as twice there',
    script: envelope(tag(3), 'x', tag(3), 'y'),
    found: [{ fields: { parents: [toUtf8('x'), toUtf8('y')] }, duplicateField: true }],
  },
  {
    behaviour: 'a number opcode can be a tag',
    script: envelope(0x51, 'x'),
    found: [{ fields: { contentType: toUtf8('x') }, pushnum: true }],
  },
  {
    behaviour: 'a number opcode outside the envelope is no flaw',
    script: [0x51, ...envelope(), 0x51],
    found: [{}],
  },
  ...[0x50, 0x62, AND, 0xff].map(opcode => ({
    behaviour: `opcode ${opcode} breaks it`,
    script: envelope(EMPTY, opcode),
    found: [],
  })),
  {
    behaviour: 'one that opens in another breaks it and is lost with it',
    script: [...OPEN, ...envelope(), ENDIF],
    found: [],
  },
  {
    behaviour: 'the next one after a broken one is found',
    script: [...OPEN, AND, ...envelope()],
    found: [{}],
  },
  { behaviour: 'a doubled false is a stutter', script: [FALSE, ...envelope()], found: [STUTTER] },
  {
    behaviour: 'a doubled opening is a stutter',
    script: [FALSE, IF, ...envelope()],
    found: [STUTTER],
  },
  {
    behaviour: 'a tripled opening is a stutter',
    script: [FALSE, IF, FALSE, IF, ...envelope()],
    found: [STUTTER],
  },
  {
    behaviour: 'a dropped stutter is none',
    script: [FALSE, FALSE, AND, ...envelope()],
    found: [{}],
  },
  {
    behaviour: 'a stutter stays over whole envelopes',
    script: [FALSE, ...envelope(), AND, ...envelope()],
    found: [STUTTER, { ...STUTTER, offset: 1 }],
  },
  {
    behaviour: 'a stutter ends with a broken envelope',
    script: [FALSE, ...OPEN, AND, ...envelope()],
    found: [{}],
  },
]

describe('of the envelopes of a script', () => {
  it.each(CASES)('$behaviour', ({ script, found }) => {
    expect(parseEnvelopes([[assemble(...script), EMPTY]])).toEqual(found.map(complete))
  })

  it.each<[number, number]>([
    [0x4f, 0x81],
    ...Array.from({ length: 16 }, (_, i): [number, number] => [0x51 + i, i + 1]),
  ])('opcode %i pushes the byte %i, which is told', (opcode, byte) => {
    expect(parseEnvelopes([[assemble(...envelope(FALSE, opcode)), EMPTY]])).toEqual([
      complete({ fields: { body: tag(byte) }, pushnum: true }),
    ])
  })
})

describe('of the inputs of a transaction', () => {
  const script = assemble(...envelope())
  const annex = fromHex('50aa')

  it.each<[string, Uint8Array[], number]>([
    ['no witness', [], 0],
    ['a key path', [script], 0],
    ['a key path with an annex', [script, annex], 0],
    ['a script path', [script, EMPTY], 1],
    ['a script path with an annex', [script, EMPTY, annex], 1],
    ['a script path with arguments', [EMPTY, script, EMPTY], 1],
    ['a control block of another leaf version', [script, fromHex('c2')], 1],
    ['a script in the place of an argument', [script, EMPTY, EMPTY], 0],
    ['a script that would be the annexed control block', [script, annex, EMPTY], 0],
  ])('%s is looked at where its script would be', (_, witness, count) => {
    expect(parseEnvelopes([witness])).toHaveLength(count)
  })

  it('each counts for itself, and a spoilt script spoils no other', () => {
    const two = concatBytes(script, script)
    const spoilt = concatBytes(script, tag(1))
    const found = parseEnvelopes([[], [two, EMPTY], [spoilt, EMPTY], [script, EMPTY]])
    expect(found.map(({ input, offset }) => [input, offset])).toEqual([
      [1, 0],
      [1, 1],
      [3, 0],
    ])
  })
})

function complete({ fields, ...flaws }: Expected): Envelope {
  return {
    input: 0,
    offset: 0,
    pushnum: false,
    stutter: false,
    duplicateField: false,
    incompleteField: false,
    unrecognizedEvenField: false,
    ...flaws,
    fields: {
      body: null,
      contentType: null,
      contentEncoding: null,
      metaprotocol: null,
      pointer: null,
      parents: [],
      delegate: null,
      metadata: null,
      rune: null,
      properties: null,
      propertyEncoding: null,
      ...fields,
    },
  }
}

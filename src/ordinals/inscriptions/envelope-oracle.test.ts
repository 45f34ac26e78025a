import { Script } from '@scure/btc-signer'
import fc from 'fast-check'
import { __test__ as oracle, parseWitness } from 'micro-ordinals'
import { describe, expect, it } from 'vitest'
import { fromHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { assemble } from '../testing/assemble.ts'
import { type Envelope, parseEnvelopes } from './envelope.ts'
import { parseInscription } from './inscription.ts'

type Part = number | string | Uint8Array
type OracleEnvelope = { payload: (0 | Uint8Array)[]; pushnum: boolean; stutter: boolean }

const FALSE = 0x00
const IF = 0x63
const ENDIF = 0x68
const AND = 0x84
const EMPTY = new Uint8Array()
const OPEN = [FALSE, IF, 'ord'] as const
const tag = (byte: number) => Uint8Array.of(byte)

/** One letter for each kind of operation, so that the classes of disagreement can be named by patterns. */
const OPERATIONS: { [letter: string]: Part } = {
  z: EMPTY,
  I: IF,
  o: 'ord',
  E: ENDIF,
  n: 0x51,
  m: 0x4f,
  b: 'body',
  t: tag(1),
  p: tag(2),
  x: AND,
}
/** The oracle looks on inside an envelope that another operation broke; ord has consumed it. */
const BROKEN = /zIo[^IEx]*[Ix]/
/** The oracle never takes back a stutter; ord does when an opening is dropped for anything but another. */
const TAKEN_BACK = /z([^zI]|I[^oz])/

describe('an independent parser', () => {
  it('finds the same envelopes in any script, but for two things in which it is not ord', () => {
    const seen = { equal: 0, broken: 0, takenBack: 0 }
    const letters = fc.array(
      fc.constantFrom(
        'zzx',
        'zx',
        'zIoE',
        'zIobE',
        'zIotb',
        'zIoz',
        'E',
        ...Object.keys(OPERATIONS),
      ),
      { maxLength: 16 },
    )
    fc.assert(
      fc.property(letters, sample => {
        const text = sample.join('')
        const script = assemble(...[...text].map(letter => OPERATIONS[letter] ?? letter))
        if (BROKEN.test(text)) {
          seen.broken++
          return
        }
        const ours = parseEnvelopes([[script, EMPTY]])
        const theirs: OracleEnvelope[] = oracle.parseEnvelopes(Script.decode(script))
        expect(ours.map(withoutStutter)).toEqual(theirs.map(readPayload))
        for (const [i, { stutter }] of ours.entries()) {
          const isSame = stutter === theirs[i]?.stutter
          seen[isSame ? 'equal' : 'takenBack']++
          if (isSame) continue
          expect([stutter, TAKEN_BACK.test(text)]).toEqual([false, true])
        }
      }),
      { numRuns: 2000 },
    )
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(20)
  })

  it.each<[string, Part[], Part[]]>([
    ['looks on inside a broken envelope', [...OPEN, ...OPEN, ENDIF], []],
    ['keeps the start of one that an opcode broke', [...OPEN, FALSE, IF, 'ord', ENDIF], []],
  ])('%s, where ord finds nothing', (_, script, found) => {
    expect(parseEnvelopes([[assemble(...script), EMPTY]])).toEqual(found)
    expect(oracle.parseEnvelopes(Script.decode(assemble(...script)))).toHaveLength(1)
  })

  it('keeps a stutter that ord has taken back', () => {
    const script = assemble(FALSE, FALSE, AND, ...OPEN, FALSE, ENDIF)
    expect(parseEnvelopes([[script, EMPTY]])[0]?.stutter).toBe(false)
    expect(readByOracle(script)?.[0]?.cursed).toBe(true)
  })
})

describe('an independent reader of fields', () => {
  it.each<{ it: string; script: Part[]; ours: object; theirs: object }>([
    {
      it: 'joins a field that stands twice; ord takes the first',
      script: [...OPEN, tag(1), 'x', tag(1), 'y', FALSE, ENDIF],
      ours: { contentType: 'x' },
      theirs: { tags: { contentType: 'xy' } },
    },
    {
      it: 'ends a body at an empty push; ord goes on',
      script: [...OPEN, FALSE, 'x', FALSE, 'y', ENDIF],
      ours: { contentLength: 2 },
      theirs: { body: toUtf8('x') },
    },
    {
      it: 'has an empty body where there is none',
      script: [...OPEN, tag(1), 'x', ENDIF],
      ours: { contentLength: null },
      theirs: { body: EMPTY },
    },
    {
      it: 'takes an empty push in a longer form for a tag; ord for that of the body',
      script: [...OPEN, 0x4c, 0x00, 'x', ENDIF],
      ours: { contentLength: 1 },
      theirs: { tags: { unknown: [[EMPTY, toUtf8('x')]] }, body: EMPTY },
    },
    {
      it: 'repairs a type that is not UTF-8; ord has none then',
      script: [...OPEN, tag(1), tag(0x80), FALSE, ENDIF],
      ours: { contentType: null },
      theirs: { tags: { contentType: '\ufffd' } },
    },
  ])('$it', ({ script, ours, theirs }) => {
    expect(readOurs(assemble(...script))).toMatchObject(ours)
    expect(readByOracle(assemble(...script))?.[0]).toMatchObject(theirs)
  })

  it.each<{ it: string; script: Part[]; ours: object }>([
    {
      it: 'a field without a value',
      script: [...OPEN, tag(1), 'x', tag(5), ENDIF],
      ours: { contentType: 'x', metadata: null },
    },
    {
      it: 'an empty value',
      script: [...OPEN, tag(2), EMPTY, FALSE, ENDIF],
      ours: { pointer: 0n },
    },
    {
      it: 'a pointer with more zeros than 64 bits',
      script: [...OPEN, tag(2), fromHex('010000000000000000'), FALSE, ENDIF],
      ours: { pointer: 1n },
    },
    {
      it: 'a parent that is no id',
      script: [...OPEN, tag(3), 'x', FALSE, ENDIF],
      ours: { parents: [] },
    },
    {
      it: 'metadata that is not CBOR',
      script: [...OPEN, tag(5), tag(0x44), FALSE, ENDIF],
      ours: { metadata: tag(0x44) },
    },
    {
      it: 'an opcode without a name, wherever it stands',
      script: [0xbb, ...OPEN, FALSE, 'x', ENDIF],
      ours: { contentLength: 1 },
    },
  ])('gives up on $it; ord does not', ({ script, ours }) => {
    expect(readOurs(assemble(...script))).toMatchObject(ours)
    expect(() => readByOracle(assemble(...script))).toThrow()
  })

  it('wants nothing behind the last envelope', () => {
    const script = assemble(...OPEN, FALSE, 'x', ENDIF, AND)
    expect(readOurs(script)).toMatchObject({ contentLength: 1 })
    expect(readByOracle(script)).toBeUndefined()
  })

  it('wants a signature, a script and a control block; ord takes arguments and an annex', () => {
    const script = assemble(...OPEN, FALSE, 'x', ENDIF)
    for (const witness of [
      [script, EMPTY],
      [EMPTY, EMPTY, script, EMPTY],
      [EMPTY, script, EMPTY, tag(0x50)],
    ]) {
      expect(parseEnvelopes([witness])).toHaveLength(1)
      expect(() => parseWitness(witness)).toThrow('Wrong witness')
    }
  })
})

function readOurs(script: Uint8Array) {
  const [envelope] = parseEnvelopes([[EMPTY, script, EMPTY]])
  return envelope && parseInscription(envelope.fields)
}

function readByOracle(script: Uint8Array) {
  return parseWitness([EMPTY, script, EMPTY])
}

function withoutStutter({ stutter: _, ...envelope }: Envelope) {
  return envelope
}

/** The fields of a payload as the oracle cut it out, read from an envelope that holds nothing else. */
function readPayload({ payload, pushnum }: OracleEnvelope, offset: number) {
  const pushes = payload.map(push => (push === 0 ? EMPTY : push))
  const [alone] = parseEnvelopes([[assemble(...OPEN, ...pushes, ENDIF), EMPTY]])
  if (!alone) throw new Error('no envelope')
  return { ...withoutStutter(alone), offset, pushnum }
}

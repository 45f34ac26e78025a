import { describe, expect, it } from 'vitest'
import { fromHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { assemble } from '../testing/assemble.ts'
import { type EnvelopeFields, parseEnvelopes } from './envelope.ts'
import { parseInscription } from './inscription.ts'

const BARE = fieldsOf()

describe('the meaning of an envelope', () => {
  it('without fields is nothing', () => {
    expect(parseInscription(BARE)).toEqual({
      contentType: null,
      contentLength: null,
      contentEncoding: null,
      metaprotocol: null,
      pointer: null,
      parents: [],
      delegate: null,
      metadata: null,
    })
  })

  it('is the text of its fields, the length of its body, and its metadata as it was written', () => {
    const fields = fieldsOf(
      ...field(1, 'text/plain;charset=utf-8'),
      ...field(7, 'brc-20'),
      ...field(9, 'br'),
      ...field(5, fromHex('4400010203')),
      '',
      'hello',
      ' world',
    )
    expect(parseInscription(fields)).toMatchObject({
      contentType: 'text/plain;charset=utf-8',
      contentEncoding: 'br',
      metaprotocol: 'brc-20',
      contentLength: 11,
      metadata: fromHex('4400010203'),
    })
  })

  it('tells an empty body from none', () => {
    expect(parseInscription(fieldsOf('')).contentLength).toBe(0)
  })

  it.each([
    ['00', 0n],
    ['', 0n],
    ['01', 1n],
    ['0001', 256n],
    ['010203040506', 0x060504030201n],
    ['0102030405060708', 0x0807060504030201n],
    ['ffffffffffffffff', 2n ** 64n - 1n],
    ['01020304050607080000000000', 0x0807060504030201n],
    ['01020304050607080000000001', null],
    ['010203040506070801', null],
  ])('of the pointer bytes "%s" is %s', (bytes, pointer) => {
    expect(parseInscription({ ...BARE, pointer: fromHex(bytes) }).pointer).toBe(pointer)
  })

  it('of several parents is those whose bytes are an id', () => {
    const parents = [
      new Uint8Array(32).fill(0xff),
      new Uint8Array(31),
      new Uint8Array(37),
      Uint8Array.from([...new Uint8Array(32).fill(1), 2, 1]),
    ]
    expect(parseInscription({ ...BARE, parents }).parents).toEqual([
      `${'ff'.repeat(32)}i0`,
      `${'01'.repeat(32)}i258`,
    ])
  })

  it('of a delegate is an id, or nothing', () => {
    const read = (delegate: Uint8Array) => parseInscription({ ...BARE, delegate }).delegate
    expect(read(new Uint8Array(36).fill(1))).toBe(`${'01'.repeat(32)}i16843009`)
    expect(read(toUtf8(`${'01'.repeat(32)}i0`))).toBeNull()
  })

  it.each([
    ['a stray continuation byte', '80'],
    ['an overlong form', 'c080'],
    ['a surrogate', 'eda080'],
    ['a cut character', 'e282'],
  ])('of a text with %s is nothing', (_, bytes) => {
    const { contentType, metaprotocol } = parseInscription({
      ...BARE,
      contentType: fromHex(bytes),
      metaprotocol: fromHex(bytes),
    })
    expect([contentType, metaprotocol]).toEqual([null, null])
  })

  it('keeps a byte order mark, which is part of the text', () => {
    const contentType = fromHex('efbbbf61')
    expect(parseInscription({ ...BARE, contentType }).contentType).toBe('\ufeffa')
  })

  it.each([
    ['br', 'br'],
    ['', ''],
    ['gzip, br', 'gzip, br'],
    ['a\r\nset-cookie: x', null],
    ['\u007f', null],
    ['bröt', null],
  ])('of the encoding %j is %j, which can stand in a header', (text, encoding) => {
    expect(parseInscription({ ...BARE, contentEncoding: toUtf8(text) }).contentEncoding).toBe(
      encoding,
    )
  })

  it('of an encoding that is not UTF-8 is the empty header', () => {
    expect(parseInscription({ ...BARE, contentEncoding: fromHex('ff') }).contentEncoding).toBe('')
  })
})

function field(tag: number, value: string | Uint8Array) {
  return [Uint8Array.of(tag), value]
}

function fieldsOf(...pushes: (string | Uint8Array)[]): EnvelopeFields {
  const script = assemble(0x00, 0x63, 'ord', ...pushes, 0x68)
  const [envelope] = parseEnvelopes([[script, new Uint8Array()]])
  if (!envelope) throw new Error('no envelope')
  return envelope.fields
}

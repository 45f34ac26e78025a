import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MalformedBytesError } from '../bitcoin/byte-cursor.ts'
import { fromHex, toHex } from '../bitcoin/bytes.ts'
import { encodeQuestion, parseAnswer, parseRecords, TYPES } from './dns-message.ts'
import { compareNames, formatDomainName, parseDomainName, readDomainName } from './domain-name.ts'
import { parsePaymentName } from './payment-name.ts'

const question = { name: ['example', 'com'], type: TYPES.TXT }
// Names written out by RFC 1035, 4.1.2: the question, and a TXT record whose name points back to it.
const QUESTION = '076578616d706c6503636f6d0000100001'
const RECORD = 'c00c001000010000012c000605' + '68656c6c6f'
const answer = (records: string, { flags = '8180', count = 1 } = {}) =>
  fromHex(`0000${flags}0001000${count}00000000${QUESTION}${records}`)

describe('a question', () => {
  it('asks for signatures and for what the server cannot verify, in 128 bytes', () => {
    const bytes = encodeQuestion(question)
    expect(bytes).toHaveLength(128)
    expect(toHex(bytes)).toMatch(
      // Id, RD and CD, counts; the question; OPT with DO and padding.
      new RegExp(
        `^0000011000010000000000 01${QUESTION}000029100000008000(....)000c`.replace(' ', ''),
      ),
    )
    expect(toHex(encodeQuestion({ name: [], type: 48 }))).toHaveLength(256)
  })
})

describe('an answer', () => {
  it('has its code and its records, with names in full', () => {
    expect(parseAnswer(answer(RECORD), question)).toEqual({
      code: 0,
      records: [{ name: question.name, type: 16, ttl: 300, data: fromHex('0568656c6c6f') }],
    })
    expect(parseAnswer(answer('', { flags: '8183', count: 0 }), question).code).toBe(3)
  })
  it('is refused when it is cut, a question, or of another question', () => {
    for (const bytes of [
      answer(RECORD, { flags: '8380' }),
      answer(RECORD, { flags: '0180' }),
      answer(RECORD, { count: 2 }),
      answer(`${RECORD.slice(0, -2)}`),
      answer('c0'),
    ])
      expect(() => parseAnswer(bytes, question)).toThrow(MalformedBytesError)
    expect(() => parseAnswer(answer(RECORD), { ...question, type: 48 })).toThrow('the question')
    expect(() => parseAnswer(answer(RECORD), { name: ['com'], type: 16 })).toThrow('the question')
  })
  it('never loops over pointers, and reads no name that is too long', () => {
    // Offset 29 is where the record begins: it points to itself, and to the one after.
    for (const pointer of ['c01d', 'c01f', 'c0ff'])
      expect(() => parseAnswer(answer(`${pointer}${RECORD.slice(4)}`), question)).toThrow(
        MalformedBytesError,
      )
    const long = `${'3f'.padEnd(128, '61')}`.repeat(4)
    expect(() => readDomainName({ bytes: fromHex(`${long}00`), offset: 0 })).toThrow('255')
    expect(() => readDomainName({ bytes: fromHex('4061'), offset: 0 })).toThrow('63')
  })
  it('of any bytes is read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        for (const read of [
          () => parseRecords(bytes),
          () => parseAnswer(bytes, question),
          () => parseAnswer(answer(toHex(bytes), { count: 3 }), question),
        ]) {
          try {
            read()
          } catch (error) {
            expect(error).toBeInstanceOf(MalformedBytesError)
          }
        }
      }),
    )
  })
})

describe('a name', () => {
  it('is of letters, digits, hyphens and underscores, without regard to capitals', () => {
    expect(parseDomainName('Example.COM')).toEqual(['example', 'com'])
    for (const text of ['', '.', 'a..b', 'a.', 'ä.de', 'a b', '*.de', `${'a'.repeat(64)}.de`])
      expect(parseDomainName(text), text).toBe(null)
    expect(parseDomainName(Array(128).fill('a').join('.'))).toBe(null)
    expect(formatDomainName(['a\u0000b', 'de'])).toBe('a?b.de.')
  })
  it('stands in the order of RFC 4034, 6.1', () => {
    // The RFC's example.
    const sorted = [
      ['example'],
      ['a', 'example'],
      ['yljkjljk', 'a', 'example'],
      ['z', 'a', 'example'],
      ['zabc', 'a', 'example'],
      ['z', 'example'],
      ['\u0001', 'z', 'example'],
      ['*', 'z', 'example'],
      ['\u00c8', 'z', 'example'],
    ]
    expect(sorted.toReversed().sort(compareNames)).toEqual(sorted)
  })
  it('that is paid has its instructions below its domain (BIP-353)', () => {
    // The BIP's example.
    expect(parsePaymentName('₿matt@mattcorallo.com')).toEqual({
      text: 'matt@mattcorallo.com',
      domainName: ['matt', 'user', '_bitcoin-payment', 'mattcorallo', 'com'],
    })
    for (const text of [
      'matt',
      '@x.com',
      'a@',
      'a@b@c',
      '₿₿a@b.c',
      'a₿@b.c',
      'mätt@x.com',
      'a@x..y',
    ])
      expect(parsePaymentName(text), text).toBe(null)
    const long = Array(112).fill('a').join('.')
    expect(parsePaymentName(`a@${long}`)).not.toBe(null)
    expect(parsePaymentName(`${'a'.repeat(63)}@${long}`)).toBe(null)
  })
})

import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex, toHex, toUtf8 } from '../bytes.ts'
import bcUr from '../testing/vectors/bc-ur.json' with { type: 'json' }
import { crc32, decodeBytewords, encodeBytewords } from './bytewords.ts'
import { encodeCbor } from './cbor.ts'
import { createFountainDecoder, createFountainEncoder, encodeFountainPart } from './fountain.ts'
import {
  createFragmentChoice,
  createSampler,
  createXoshiro,
  drawIndexes,
  nextInteger,
} from './fragment-choice.ts'
import { createUrEncoder, formatUr, parseUr } from './ur.ts'

const { random } = bcUr

/** The message that the vectors are about: bytes of the generator. */
function makeMessage(length: number): Uint8Array {
  const next = createXoshiro(toUtf8(random.seed))
  return Uint8Array.from({ length }, () => nextInteger(next, 0, 255))
}

describe('the vectors of bc-ur', () => {
  it.each(bcUr.crc32)('the CRC-32 of “$text” is $hex', ({ text, hex }) => {
    expect(crc32(toUtf8(text)).toString(16).padStart(8, '0')).toBe(hex)
  })

  it.each(bcUr.bytewords.valid)('$minimal is bytes and their words', ({ bytes, minimal }) => {
    expect(encodeBytewords(Uint8Array.from(bytes))).toBe(minimal)
    expect([...decodeBytewords(minimal)]).toEqual(bytes)
  })

  it.each(bcUr.bytewords.invalid)('%s is refused', letters => {
    expect(() => decodeBytewords(letters)).toThrow('checksum')
  })

  it('the generator gives the same numbers, shuffles and samples', () => {
    const numbers = createXoshiro(toUtf8(random.seed))
    expect(random.from1to10.map(() => nextInteger(numbers, 1, 10))).toEqual(random.from1to10)
    const shuffling = createXoshiro(toUtf8(random.seed))
    expect(random.shuffles.map(() => drawIndexes(10, 10, shuffling).map(i => i + 1))).toEqual(
      random.shuffles,
    )
    const sample = createSampler(random.sampler.weights)
    const next = createXoshiro(toUtf8(random.seed))
    expect(random.sampler.samples.map(() => sample(next))).toEqual(random.sampler.samples)
    expect(toHex(makeMessage(20))).toBe(random.data.join(''))
  })

  it('the same degrees are drawn', () => {
    const sample = createSampler(Array.from({ length: 11 }, (_, i) => 1 / (i + 1)))
    const degrees = bcUr.degrees.map((_, i) => sample(createXoshiro(toUtf8(`Wolf-${i + 1}`))) + 1)
    expect(degrees).toEqual(bcUr.degrees)
  })

  it('a message of 1,024 bytes has the same fragments, and parts are made of the same ones', () => {
    const message = makeMessage(1024)
    const { count, part } = createFountainEncoder(message, 100)
    expect(count).toBe(bcUr.fragments.length)
    expect(bcUr.fragments.map((_, i) => toHex(part(i + 1).data))).toEqual(bcUr.fragments)
    const choose = createFragmentChoice(count, crc32(message))
    expect(bcUr.choices.map((_, i) => choose(i + 1).sort((a, b) => a - b))).toEqual(bcUr.choices)
  })

  it('a message of 256 bytes has the same 20 parts, as CBOR and as text', () => {
    const { messageLength, maxFragmentLength, cbor, texts } = bcUr.parts
    const message = makeMessage(messageLength)
    const { part } = createFountainEncoder(message, maxFragmentLength)
    expect(cbor.map((_, i) => toHex(encodeFountainPart(part(i + 1))))).toEqual(cbor)
    const ur = { type: 'bytes', cbor: encodeCbor(message) }
    const { text } = createUrEncoder(ur, maxFragmentLength)
    expect(texts.map((_, i) => text(i + 1))).toEqual(texts)
    expect(texts.map(one => parseUr(one)).every(one => 'part' in one)).toBe(true)
  })

  it('one text holds a message of 50 bytes, in either case', () => {
    const ur = { type: 'bytes', cbor: encodeCbor(makeMessage(bcUr.single.messageLength)) }
    expect(formatUr(ur)).toBe(bcUr.single.text)
    expect(parseUr(bcUr.single.text.toUpperCase())).toEqual(ur)
  })

  it('a message of 32,767 bytes comes from mixed parts alone', () => {
    const message = makeMessage(32_767)
    const { part } = createFountainEncoder(message, 1000)
    const decoder = createFountainDecoder(part(100))
    let sequence = 101
    while (decoder.finish() === null) decoder.add(part(sequence++))
    expect(decoder.finish()).toEqual(message)
    expect(sequence).toBeLessThan(100 + 2 * decoder.first.count)
  })
})

describe('a decoder of parts', () => {
  const message = makeMessage(300)
  const { part, count } = createFountainEncoder(message, 30)

  it('refuses a part of another message and keeps what it has', () => {
    const decoder = createFountainDecoder(part(1))
    const other = createFountainEncoder(makeMessage(301), 31)
    expect(() => decoder.add(other.part(2))).toThrow('another message')
    for (let i = 2; i <= count; i++) decoder.add(part(i))
    expect(decoder.finish()).toEqual(message)
  })

  it('says so when the parts make a message with another checksum', () => {
    const decoder = createFountainDecoder(part(1))
    for (let i = 2; i <= count; i++) {
      const { data, ...rest } = part(i)
      decoder.add({ ...rest, data: i === 3 ? concatBytes(fromHex('ff'), data.subarray(1)) : data })
    }
    expect(() => decoder.finish()).toThrow('another checksum')
  })
})

import { createHash } from 'node:crypto'
import { entropyToMnemonic } from 'bip39'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import vectors from '../testing/vectors/throws.json' with { type: 'json' }
import { deriveFromThrows, findOddities, leastThrows, readThrows } from './throws.ts'

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const wordsOf = ({ parts }: ReturnType<typeof deriveFromThrows>) =>
  parts.map(({ word }) => word).join(' ')

describe('words of throws', () => {
  it.each(vectors.dice)('are those of SeedSigner: $words', ({ throws, words }) => {
    const count = words.split(' ').length === 12 ? 12 : 24
    expect(wordsOf(deriveFromThrows('dice', throws, count))).toBe(words)
  })

  it('are those of bip39 and SHA-256 elsewhere, step by step, for dice and coins of any number', () => {
    const cases = fc.constantFrom(
      ...(['dice', 'coin'] as const).flatMap(source =>
        ([12, 24] as const).map(words => ({ source, words })),
      ),
    )
    fc.assert(
      fc.property(
        cases,
        fc.infiniteStream(fc.nat()),
        fc.nat(50),
        ({ source, words }, stream, more) => {
          const faces = source === 'dice' ? '123456' : '01'
          const length = leastThrows(source, words) + more
          const throws = Array.from(
            { length },
            () => faces[stream.next().value % faces.length],
          ).join('')
          const made = deriveFromThrows(source, throws, words)
          const hash = sha256(throws)
          const entropy = hash.subarray(0, words === 12 ? 16 : 32)
          expect(made).toMatchObject({
            hash: hash.toString('hex'),
            entropy: entropy.toString('hex'),
            entropyHash: sha256(entropy).toString('hex'),
          })
          expect(wordsOf(made)).toBe(entropyToMnemonic(entropy))
          const bits = made.parts.map(part => part.bits).join('')
          expect(bits.endsWith(made.checksum)).toBe(true)
          expect(
            BigInt(`0b${bits.slice(0, -made.checksum.length)}`)
              .toString(16)
              .padStart((words * 8) / 3, '0'),
          ).toBe(made.entropy)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('are refused of too few throws, of too many, and of what is none', () => {
    for (const [source, words, least] of [
      ['dice', 12, 50],
      ['dice', 24, 99],
      ['coin', 12, 128],
      ['coin', 24, 256],
    ] as const) {
      expect(() => deriveFromThrows(source, '1'.repeat(least - 1), words)).toThrow(
        `got ${least - 1}, expected ${least} to 1000`,
      )
      expect(deriveFromThrows(source, '1'.repeat(least), words).parts).toHaveLength(words)
    }
    expect(() => deriveFromThrows('dice', '1'.repeat(1001), 12)).toThrow('got 1001')
    for (const wrong of ['0', '7', ' ', 'x', '１'])
      expect(() => deriveFromThrows('dice', `${wrong}${'1'.repeat(60)}`, 12)).toThrow('1, 2, 3')
    expect(() => deriveFromThrows('coin', '2'.repeat(128), 12)).toThrow('0, 1')
  })
})

describe('typed throws', () => {
  it('may have spaces between, and the first wrong character is named with its place', () => {
    expect(readThrows('dice', ' 123 456\n1')).toEqual({ throws: '1234561', wrong: null })
    expect(readThrows('dice', '12 07').wrong).toEqual({ character: '0', place: 2 })
    expect(readThrows('coin', '01h').wrong).toEqual({ character: 'h', place: 2 })
  })
})

describe('poor throws', () => {
  it('are told with how often fair ones would show it', () => {
    // 50 equal throws: 6 × 6^-50, as 49 equal ones after any first, is 7.4 × 10^-39; 49 steps of 0 are 4.4 × 10^-38.
    expect(findOddities('dice', '6'.repeat(50))).toEqual([
      { kind: 'face', value: '6', count: 50, of: 50, tries: 1e38 },
      { kind: 'step', value: '0', count: 49, of: 49, tries: 1e37 },
    ])
    expect(findOddities('dice', '123456'.repeat(9))).toEqual([
      { kind: 'step', value: '1', count: 53, of: 53, tries: 1e40 },
    ])
    expect(findOddities('coin', '01'.repeat(64))).toMatchObject([
      { kind: 'step', value: '1', count: 127, of: 127 },
    ])
  })

  it('begin where one try of a thousand is as poor, by the binomial distribution', () => {
    // With exact fractions: one try of 665 has some face 19 times of 50, one of 2,216 has it 20 times.
    const of50 = (count: number) => '1'.repeat(count) + '23456'.repeat(10).slice(count)
    const faces = (throws: string) =>
      findOddities('dice', throws).filter(({ kind }) => kind === 'face')
    for (const count of [10, 19]) expect(faces(of50(count))).toEqual([])
    expect(faces(of50(20))).toMatchObject([{ value: '1', count: 20, of: 50, tries: 1000 }])
  })
})

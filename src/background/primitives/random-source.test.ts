import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { drawRandom, randomBytes, WeakRandomError } from './random-source.ts'

describe('drawRandom', () => {
  it('gives bytes that do not repeat', () => {
    const random = Array.from({ length: 1000 }, () => toHex(drawRandom(randomBytes, 16)))
    expect(new Set(random).size).toBe(1000)
    expect(random[0]).toHaveLength(32)
  })

  it('refuses a source that gives out one buffer again and again', () => {
    const buffer = randomBytes(32)
    expect(() => drawRandom(n => buffer.slice(0, n), 32)).toThrow(WeakRandomError)
    expect(() => drawRandom(() => buffer, 32)).toThrow(WeakRandomError)
  })

  it('refuses to judge a few bytes', () => {
    expect(() => drawRandom(randomBytes, 4)).toThrow(RangeError)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MalformedAnswerError, parseExactJson } from './json-reader.ts'

/** JSON with integers of any size, as a server may write it. */
function write(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(write).join(' ,')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(
    ([key, field]) => `${JSON.stringify(key)}: ${write(field)}`,
  )
  return `{${fields.join(',')}}`
}

/** The same with integers as they are to be read. */
function expected(value: unknown): unknown {
  if (typeof value === 'bigint') {
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  }
  if (Array.isArray(value)) return value.map(expected)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, expected(field)]))
}

const { json } = fc.letrec(tie => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.bigInt({ min: -(2n ** 128n), max: 2n ** 128n }),
    fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter(n => n === 0 || !Number.isInteger(n))
      .map(n => n + 0),
    fc.stringMatching(/^[\\"0-9:,{}[\] ]{0,40}$/),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(null, true, false, '12345678901234567890'),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(
      fc.string({ unit: 'grapheme-ascii' }).filter(key => key !== '__proto__'),
      tie('json'),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
}))

describe('JSON with integers beyond what a number holds', () => {
  it('is read with every digit of them, and with everything else as it is', () => {
    fc.assert(
      fc.property(json, value => {
        expect(parseExactJson(write(value))).toEqual(expected(value))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    '[12345678901234567',
    '["12345678901234567]',
    '{12345678901234567: 1}',
    '[012345678901234567]',
    '[1234567890123456 7]',
    '"\\" 12345678901234567',
  ])('is refused where it is none: %s', text => {
    expect(() => parseExactJson(text)).toThrow(MalformedAnswerError)
  })

  it('is read in time that grows with its length alone', () => {
    const text = `["${'\\"'.repeat(2_000_000)}",12345678901234567890]`
    try {
      expect(parseExactJson(text)).toHaveLength(2)
    } catch (cause) {
      expect(cause).toBeInstanceOf(MalformedAnswerError)
    }
  })
})

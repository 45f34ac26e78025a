import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRawIds } from './raw-id.ts'

const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/)
const value = fc.json({ maxDepth: 3 })
const key = fc.oneof(
  fc.constantFrom(
    '"id"',
    '"i\\u0064"',
    '"\\u0069d"',
    '"ID"',
    '"\\"id"',
    '"id\\""',
    '"\\\\"',
    '"__proto__"',
  ),
  fc.string().map(text => JSON.stringify(text)),
)
const member = fc
  .tuple(space, key, space, space, value, space)
  .map(
    ([before, name, after, ahead, text, behind]) =>
      `${before}${name}${after}:${ahead}${text}${behind}`,
  )
const object = fc.array(member).map(members => `{${members}}`)
const element = fc.oneof(object, value)

const idOf = (parsed: unknown) => Object.getOwnPropertyDescriptor(Object(parsed), 'id')?.value

describe('readRawIds', () => {
  it('finds the text of the id that JSON.parse finds', () => {
    fc.assert(
      fc.property(space, object, space, (before, text, after) => {
        const [raw, ...others] = readRawIds(before + text + after)
        expect(others).toEqual([])
        expect(raw === null ? undefined : JSON.parse(String(raw))).toEqual(idOf(JSON.parse(text)))
      }),
      { numRuns: 1000 },
    )
  })

  it('finds it in each element of an array', () => {
    fc.assert(
      fc.property(space, fc.array(fc.tuple(space, element, space)), (before, elements) => {
        const text = `${before}[${before}${elements.map(parts => parts.join(''))}]`
        const ids = readRawIds(text).map(raw => (raw === null ? undefined : JSON.parse(raw)))
        expect(ids).toEqual(
          JSON.parse(text).map((one: unknown) => (Array.isArray(one) ? undefined : idOf(one))),
        )
      }),
      { numRuns: 1000 },
    )
  })

  it('keeps numbers as they are written', () => {
    expect(readRawIds('[{"id":1.50},{"id": 9007199254740993 },{"id":1e+3},7,{}]')).toEqual([
      '1.50',
      '9007199254740993',
      '1e+3',
      null,
      null,
    ])
  })
})

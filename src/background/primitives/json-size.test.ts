import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonSize } from './json-size.ts'

describe('the size of JSON', () => {
  it.each([
    ['a', 3],
    ['é', 4],
    ['漢', 5],
    ['😀', 6],
    ['"\n', 6],
    [null, 4],
    [undefined, 0],
    [[], 2],
    [{ a: [1, 'b'] }, 13],
  ])('of %j is %i bytes', (value, size) => {
    expect(jsonSize(value)).toBe(size)
  })

  // Independent: the bytes as Node writes them.
  it('is what a file of it would take, measured first or again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const bytes = Buffer.byteLength(JSON.stringify(value))
        expect([jsonSize(value), jsonSize(value)]).toEqual([bytes, bytes])
      }),
    )
  })
})

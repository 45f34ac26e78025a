import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markDifferences } from './address-difference.tsx'

function draw(text: string, marks: readonly boolean[]): string {
  return [...text].map((character, index) => (marks[index] ? `[${character}]` : character)).join('')
}

function compare(a: string, b: string): string[] {
  const [first, second] = markDifferences(a, b)
  return [draw(a, first), draw(b, second)]
}

describe('two addresses side by side', () => {
  it('have the characters marked that differ, place by place', () => {
    expect(compare('bc1qaXcd', 'bc1qaYcd')).toEqual(['bc1qa[X]cd', 'bc1qa[Y]cd'])
    expect(compare('abcd', 'abcd')).toEqual(['abcd', 'abcd'])
  })
  it('of two lengths have their middles marked', () => {
    expect(compare('bc1qabcdxyz', 'bc1qabxyz')).toEqual(['bc1qab[c][d]xyz', 'bc1qabxyz'])
    expect(compare('bc1p', '3abp')).toEqual(['[b][c][1]p', '[3][a][b]p'])
  })
  it('are never shown as alike when they are not', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 })
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [first, second] = markDifferences(a, b)
        expect([...first, ...second].includes(true)).toBe(a !== b)
        expect([first.length, second.length]).toEqual([a.length, b.length])
      }),
    )
  })
})

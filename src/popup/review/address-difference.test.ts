import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it } from 'vitest'
import english from '../../../public/_locales/en/messages.json'
import japanese from '../../../public/_locales/ja/messages.json'
import { takeMessages } from '../platform/words.ts'
import { AddressDifference, markDifferences } from './address-difference.tsx'

afterEach(() => takeMessages('en', english))

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
  it('have the name of the known one in the marks of the language', () => {
    const draw = () =>
      renderToStaticMarkup(
        createElement(AddressDifference, { to: 'bc1qaXcd', known: 'bc1qaYcd', name: 'Alice' }),
      )
    expect(draw()).toContain('<dt>You know: <b>Alice</b></dt>')
    takeMessages('ja', japanese)
    expect(draw()).toContain('<dt>知っているもの：<b>Alice</b></dt>')
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

import english from 'bip39/src/wordlists/english.json' with { type: 'json' }
import fc from 'fast-check'
import { distance } from 'fastest-levenshtein'
import { describe, expect, it } from 'vitest'
import { countEdits, findNearestWords } from './nearest-words.ts'

const nearest = (typed: string) => findNearestWords(typed, english)
const word = fc.constantFrom(...english)
const letters = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), maxLength: 12 })

describe('findNearestWords', () => {
  it.each([
    // A letter left out, added, another one, two swapped.
    ['abndon', 'abandon'],
    ['lettter', 'letter'],
    ['wimner', 'winner'],
    ['yaer', 'year'],
    // The first four letters are enough in BIP-39's list.
    ['thanksgiving', 'thank'],
    ['satoshis', 'satoshi'],
  ])('takes %s for %s first', (typed, meant) => {
    expect(nearest(typed)[0]).toBe(meant)
  })

  it('has nothing for what is like no word', () => {
    for (const typed of ['', 'qqqqqq', 'überraschung', 'a'.repeat(100_000)])
      expect(nearest(typed)).toEqual([])
  })

  it('finds each word of the list again by its first four letters and anything behind them', () => {
    fc.assert(
      fc.property(word, letters, (meant, rest) => {
        fc.pre(meant.length >= 4)
        expect(nearest(meant.slice(0, 4) + rest)[0]).toBe(meant)
      }),
    )
  })

  it('gives at most three, each of the list and once', () => {
    fc.assert(
      fc.property(letters, typed => {
        const found = nearest(typed)
        expect(found.length).toBeLessThanOrEqual(3)
        expect(new Set(found).size).toBe(found.length)
        for (const one of found) expect(english).toContain(one)
      }),
    )
  })

  it('has the meant word among those at one swap of neighbours, unless three are as near', () => {
    fc.assert(
      fc.property(word, fc.nat(), (meant, seed) => {
        const at = seed % (meant.length - 1)
        const letters = [...meant]
        const [a = '', b = ''] = letters.splice(at, 2)
        letters.splice(at, 0, b, a)
        const typed = letters.join('')
        fc.pre(!english.includes(typed))
        const found = nearest(typed)
        const isNear = (other: string) => countEdits(typed, other) <= 1
        if (!found.includes(meant)) {
          const prefixed = (other: string) => other.slice(0, 4) === typed.slice(0, 4)
          expect(found.every(other => isNear(other) || prefixed(other))).toBe(true)
          expect(found).toHaveLength(3)
        }
      }),
    )
  })
})

describe('countEdits', () => {
  it('is Levenshtein’s distance or, by swapped neighbours, less; never more than three', () => {
    fc.assert(
      fc.property(letters, letters, (one, other) => {
        const edits = countEdits(one, other)
        expect(edits).toBe(countEdits(other, one))
        expect(edits).toBeLessThanOrEqual(Math.min(3, distance(one, other)))
        expect(edits === 0).toBe(one === other)
      }),
    )
  })

  it('counts two swapped neighbours once', () => {
    expect([countEdits('yaer', 'year'), distance('yaer', 'year')]).toEqual([1, 2])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pickPlaces } from './confirm-words.tsx'

describe('the words that are asked for', () => {
  it('are three different ones in order, whatever the random bytes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(12, 24),
        fc.uint8Array({ minLength: 3, maxLength: 3 }),
        (count, random) => {
          const places = pickPlaces(count, bytes => bytes.set(random))
          expect(new Set(places).size).toBe(3)
          expect([...places].sort((a, b) => a - b)).toEqual(places)
          for (const place of places) {
            expect(place).toBeGreaterThanOrEqual(0)
            expect(place).toBeLessThan(count)
          }
        },
      ),
    )
  })
  it('can be any of them', () => {
    const reached = new Set<number>()
    for (let byte = 0; byte < 24; byte += 1) {
      for (const place of pickPlaces(24, bytes => bytes.fill(byte))) reached.add(place)
    }
    expect(reached.size).toBe(24)
  })
})

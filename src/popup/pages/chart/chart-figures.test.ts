import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findNearest, listWorth, measureChange, moveBy, placePoints } from './chart-figures.ts'

const POINTS = [
  { at: 1_000, perBitcoin: 50_000, sats: null },
  { at: 2_000, perBitcoin: 60_000, sats: '150000000' },
  { at: 3_000, perBitcoin: 40_000, sats: '0' },
]

const lines = fc.array(
  fc.record({ at: fc.integer({ min: 0 }), worth: fc.double({ min: 0, max: 1e15, noNaN: true }) }),
  { minLength: 1, maxLength: 50 },
)

describe('a line', () => {
  it('of the balance is what was held at the price of the time, where that is known', () => {
    expect(listWorth(POINTS, 'balance')).toEqual([
      { at: 2_000, worth: 90_000 },
      { at: 3_000, worth: 0 },
    ])
  })

  it('of a bitcoin is its price, whatever was held', () => {
    expect(listWorth(POINTS, 'bitcoin').map(({ worth }) => worth)).toEqual([50_000, 60_000, 40_000])
  })

  it('changes from its first point to its last, per cent only where there was something', () => {
    const change = (...worths: number[]) =>
      measureChange(worths.map((worth, at) => ({ at, worth })))
    expect(change(80, 10, 100)).toEqual({ by: 20, percent: 25 })
    expect(change(80, 60)).toEqual({ by: -20, percent: -25 })
    expect(change(0, 60)).toEqual({ by: 60, percent: null })
  })

  it('lies within its square, the highest at the top and the latest at the right', () => {
    fc.assert(
      fc.property(lines, drawn => {
        const points = drawn.sort((a, b) => a.at - b.at)
        const places = placePoints(points)
        for (const { x, y } of places) {
          expect(x >= 0 && x <= 100 && y >= 0 && y <= 100).toBe(true)
        }
        const most = Math.max(...points.map(({ worth }) => worth))
        const highest = places[points.findIndex(({ worth }) => worth === most)]
        expect(places.every(({ y }) => y >= (highest?.y ?? 0))).toBe(true)
        expect(places.map(({ x }) => x)).toEqual(places.map(({ x }) => x).sort((a, b) => a - b))
      }),
    )
  })
})

describe('the point that is read', () => {
  it('is the one nearest to where the pointer is', () => {
    const places = [{ x: 0 }, { x: 10 }, { x: 100 }]
    expect([0, 0.04, 0.06, 0.5, 0.6, 1].map(share => findNearest(places, share))).toEqual([
      ...[0, 0, 1, 1, 2, 2],
    ])
  })

  it('moves by keys and never beyond the ends', () => {
    expect(moveBy('ArrowLeft', 5, 50)).toBe(4)
    expect(moveBy('ArrowRight', 49, 50)).toBe(49)
    expect(moveBy('PageDown', 5, 50)).toBe(0)
    expect(moveBy('PageUp', 5, 50)).toBe(10)
    expect(moveBy('Home', 5, 50)).toBe(0)
    expect(moveBy('End', 5, 50)).toBe(49)
    expect(moveBy('Tab', 5, 50)).toBeNull()
  })
})

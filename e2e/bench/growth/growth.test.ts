import { describe, expect, it } from 'vitest'
import { type Curve, drawCurves, exponentOf, formatCurves, spreadSizes } from './growth.ts'

const curveOf = (value: (size: number) => number): Curve => ({
  ...{ name: 'a cost', of: 'coins', unit: 'ms' },
  points: spreadSizes(10, 100_000).map(size => ({ size, value: value(size) })),
})

describe('the sizes of a curve', () => {
  it('go from the least to the most, ever the same factor apart', () => {
    expect(spreadSizes(1, 1_000, 4)).toEqual([1, 10, 100, 1_000])
    expect(spreadSizes(10, 100_000)).toHaveLength(10)
  })
})

describe('the exponent of a curve', () => {
  it.each([0, 0.5, 1, 2])('is that of a power: %d', power => {
    expect(exponentOf(curveOf(size => 3 * size ** power))).toBeCloseTo(power)
  })

  it('tells little of what any size costs', () => {
    expect(exponentOf(curveOf(size => 5 + 0.01 * size))).toBeGreaterThan(0.85)
    expect(exponentOf(curveOf(size => 5 + 0.01 * size))).toBeLessThan(1)
  })
})

describe('the exponent of the last points', () => {
  it('tells what the largest sizes do, whatever the others did', () => {
    const bent = curveOf(size => (size < 50_000 ? size : size ** 2))
    expect(exponentOf(bent, 3)).toBeGreaterThan(2)
    const levelled = curveOf(size => Math.min(size, 10_000))
    expect(exponentOf(levelled, 3)).toBeCloseTo(0)
    expect(exponentOf(levelled)).toBeGreaterThan(0.2)
  })
})

describe('what is written of curves', () => {
  const curves = [curveOf(size => size / 100), curveOf(() => 4)]

  it('is a table with each point and the exponent', () => {
    const table = formatCurves(curves)
    expect(table).toContain('| a cost, ms over coins | 10: 0.10, ')
    expect(table).toContain('100,000: 1,000 | 1.00 | 1.00 |')
    expect(table).toContain('| 0.00 | 0.00 |')
  })

  it('is a picture with a line for each and a mark for each point, all within its frame', () => {
    const picture = drawCurves(curves)
    expect(picture.match(/<circle /g)).toHaveLength(20)
    const places = [...picture.matchAll(/c[xy]="([\d.-]+)"/g)].map(([, place]) => Number(place))
    expect(places).toHaveLength(40)
    expect(places.every(place => place >= 0 && place <= 760)).toBe(true)
  })
})

import { describe, expect, it } from 'vitest'
import { countFigure, describeSamples, sampleFigure } from './figure.ts'

describe('quantiles of the samples', () => {
  // R 4.3: quantile(c(15, 20, 35, 40, 50), c(.25, .5, .75, .95)), type 7.
  it('are those that R gives by default', () => {
    expect(describeSamples([40, 15, 50, 20, 35])).toEqual({
      n: 5,
      q1: 20,
      median: 35,
      q3: 40,
      p95: 48,
    })
  })

  it('lie between the two middle samples where their number is even', () => {
    expect(describeSamples([4, 1, 3, 2])).toMatchObject({ q1: 1.75, median: 2.5, q3: 3.25 })
  })

  it('sort by size and not by digits', () => {
    expect(describeSamples([9, 100, 10]).median).toBe(10)
  })

  it('do not exist without samples', () => {
    expect(() => describeSamples([])).toThrow(RangeError)
  })
})

describe('a figure', () => {
  it('of samples has their median as its value', () => {
    const figure = sampleFigure({ name: 'call', unit: 'ms', aim: 2 }, [3, 1, 2])
    expect(figure).toMatchObject({ value: 2, aim: 2, peer: null, spread: { n: 3 } })
  })

  it('that is counted has no spread', () => {
    expect(countFigure({ name: 'size', unit: 'kB' }, 7)).toMatchObject({ value: 7, spread: null })
  })
})

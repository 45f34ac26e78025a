import { expect, it } from 'vitest'
import { capRate, countSmall, double, sum } from './example.ts'

it('counts small numbers', () => {
  expect(countSmall(10)).toBe(0)
})

it('caps a rate above ten', () => {
  expect(capRate(11)).toBe(10)
  expect(capRate(9)).toBe(9)
})

it('sums', () => {
  expect(sum([2, 3])).toBe(5)
})

it('doubles', () => {
  expect(double(4)).toBe(8)
})

import { expect, it } from 'vitest'
import { assertNoCircles } from './bundled-circles.ts'

it('are taken where each file is there before who imports it', () => {
  const files = {
    popup: ['first', 'later'],
    later: ['first', 'shared'],
    shared: ['first'],
    first: [],
  }
  expect(() => assertNoCircles(new Map(Object.entries(files)))).not.toThrow()
})

it.each([
  ['two', { popup: ['a'], a: ['b'], b: ['a', 'first'], first: [] }, 'a, b'],
  ['three', { popup: ['a'], a: ['b'], b: ['c'], c: ['a', 'first'], first: [] }, 'a, b, c'],
])('are refused by name where %s wait for each other', (_, files, names) => {
  const built = new Map(Object.entries(files))
  expect(() => assertNoCircles(built)).toThrow(`built files wait for each other: ${names}`)
})

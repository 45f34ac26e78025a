import { describe, expect, it } from 'vitest'
import { namePlaces } from './inscribe-places.ts'

describe('places of items', () => {
  it('are all named, those that follow each other as one', () => {
    expect(namePlaces([24])).toBe('#24')
    expect(namePlaces([1, 2, 3, 7])).toBe('#1 to #3, #7')
    expect(namePlaces([1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23])).toBe(
      '#1, #3, #5, #7, #9, #11, #13, #15, #17, #19, #21, #23',
    )
  })
})

import { describe, expect, it } from 'vitest'
import { shortenLabel } from './flow-picture.tsx'

describe('a name beside a strand', () => {
  it('is whole where it has room', () => {
    expect(shortenLabel('Back to you', true)).toBe('Back to you')
    expect(shortenLabel('ほか20個（自分）', true)).toBe('ほか20個（自分）')
  })
  it('is cut before it runs into the strand, of wide letters after half as many', () => {
    expect(shortenLabel('The bakery on the corner', false)).toBe('The bakery on…')
    expect(shortenLabel('The bakery at 1', true)).toBe('The bakery at 1')
    expect(shortenLabel('The bakery at 12', false)).toBe('The bakery at…')
    expect(shortenLabel('街角のパン屋さんの注文', false)).toBe('街角のパン屋さ…')
    expect(shortenLabel('모퉁이에 있는 빵집 주문', false)).toBe('모퉁이에 있는…')
  })
})

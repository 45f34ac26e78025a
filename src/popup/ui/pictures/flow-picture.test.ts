import { describe, expect, it } from 'vitest'
import { shortenLabel } from './flow-picture.tsx'

describe('a name beside a strand', () => {
  it('is whole where it has room', () => {
    expect(shortenLabel('Back to you')).toBe('Back to you')
    expect(shortenLabel('ほか20個（自分）')).toBe('ほか20個（自分）')
  })
  it('is cut before it runs into the strand, of wide letters after half as many', () => {
    expect(shortenLabel('The bakery on the corner')).toBe('The bakery on…')
    expect(shortenLabel('街角のパン屋さんの注文')).toBe('街角のパン屋さ…')
    expect(shortenLabel('모퉁이에 있는 빵집 주문')).toBe('모퉁이에 있는…')
  })
})

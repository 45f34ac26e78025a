import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawIdenticon } from './identicon.tsx'

describe('an identicon', () => {
  it('is alike left and right and stays in its square', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        const { cells, hue } = drawIdenticon(text)
        const places = new Set(cells.map(({ x, y }) => `${x},${y}`))
        expect(places.size).toBe(cells.length)
        for (const { x, y } of cells) {
          expect(places).toContain(`${4 - x},${y}`)
          expect([0, 1, 2, 3, 4]).toContain(y)
        }
        expect(hue).toBeGreaterThanOrEqual(0)
        expect(hue).toBeLessThan(360)
      }),
    )
  })
  it('tells neighbouring texts apart', () => {
    const pictures = Array.from({ length: 1000 }, (_, index) =>
      JSON.stringify(drawIdenticon(`https://app${index}.example`)),
    )
    expect(new Set(pictures).size).toBeGreaterThan(990)
  })
})

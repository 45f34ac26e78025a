import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TINY_AVIF_SEQUENCE, tinyImage, tinyImages } from '../testing/tiny-images.ts'
import { measureImage } from './image-size.ts'

describe('the size of an image, without decoding it', () => {
  it.each(tinyImages)('of a $name by another encoder is what was drawn', ({ type, bytes }) => {
    const surface = { width: 7, height: 5, pixels: 35, end: bytes.length }
    expect(measureImage(type, bytes)).toEqual(surface)
  })

  it.each(tinyImages)('of a $name ends where the image does', ({ type, bytes }) => {
    const longer = Uint8Array.from([...bytes, ...new TextEncoder().encode('<script>')])
    const surface = measureImage(type, longer)
    // What follows the boxes of an AVIF would be a box too, and is none.
    if (type === 'image/avif') expect(surface).toBeNull()
    else expect(surface?.end).toBe(bytes.length)
  })

  it.each(tinyImages)('is not told of a $name that is cut off anywhere', ({ type, bytes }) => {
    for (let length = 0; length < bytes.length; length++)
      expect(measureImage(type, bytes.subarray(0, length)), String(length)).toBeNull()
  })

  it('is not told of bytes that begin like another format', () => {
    const [png, jpeg] = [tinyImage('png'), tinyImage('jpeg')]
    expect(measureImage('image/jpeg', png)).toBeNull()
    expect(measureImage('image/png', jpeg)).toBeNull()
    expect(measureImage('image/avif', TINY_AVIF_SEQUENCE)).toBeNull()
  })

  it('answers for whatever damage', () => {
    const damaged = fc
      .record({
        image: fc.constantFrom(...tinyImages),
        damage: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 }),
      })
      .map(({ image: { type, bytes }, damage }) => {
        const changed = Uint8Array.from(bytes)
        for (const [at, value] of damage) changed[at % bytes.length] = value
        return { type, bytes: changed }
      })
    fc.assert(
      fc.property(damaged, ({ type, bytes }) => {
        const surface = measureImage(type, bytes)
        if (!surface) return
        expect(surface.end).toBeLessThanOrEqual(bytes.length)
        expect(surface.pixels).toBeGreaterThanOrEqual(surface.width * surface.height)
        expect(surface.width * surface.height).toBeGreaterThan(0)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is that of the largest surface: an AVIF whose stream is larger than it says does not hide it', () => {
    const avif = tinyImage('avif')
    const at = findBytes(avif, [0x0a, 0x08, 0x18])
    // Sixteen bits a side, all of them set, in the reduced header of a still picture.
    avif.set([0x18, 0x3f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], at + 2)
    expect(measureImage('image/avif', avif)?.pixels).toBe(2 ** 32)
  })

  it('is that of the screen of a GIF and of frames that reach beyond it', () => {
    const gif = tinyImage('gif')
    const frame = findBytes(gif, [0x2c, 0, 0, 0, 0, 7, 0, 5, 0])
    gif.set([0xff, 0xff], frame + 5)
    expect(measureImage('image/gif', gif)).toMatchObject({ width: 65_535, height: 5 })
  })

  it('is not told of a WebP whose picture has another size than its canvas', () => {
    const webp = tinyImage('webp with transparency')
    webp.set([0x63], findBytes(webp, [0x9d, 0x01, 0x2a]) + 3)
    expect(measureImage('image/webp', webp)).toBeNull()
  })

  it('is not told of an animation with a frame beyond its canvas', () => {
    const png = tinyImage('animated png')
    const frame = findBytes(
      png,
      [...'fcTL'].map(letter => letter.charCodeAt(0)),
    )
    const wide = Uint8Array.from(png)
    wide.set([0, 0, 0xff, 0xff], frame + 8)
    expect(measureImage('image/png', wide)).toBeNull()
  })
})

function findBytes(bytes: Uint8Array, pattern: readonly number[]): number {
  const at = bytes.findIndex((_, start) => pattern.every((byte, i) => bytes[start + i] === byte))
  if (at === -1) throw new Error('Not there')
  return at
}

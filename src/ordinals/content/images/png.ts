import { assertSound, describeSurface, parseName, type Surface, viewOf } from './surface.ts'

const SIGNATURE_SIZE = 8
/** Length, name and checksum. */
const CHUNK_FRAME = 12

/** PNG with the frames of APNG; each must lie within the canvas. */
export function measurePng(bytes: Uint8Array): Surface {
  const view = viewOf(bytes)
  assertSound(parseName(view, 12) === 'IHDR' && view.getUint32(8) === 13, 'png: no header')
  const width = view.getUint32(16)
  const height = view.getUint32(20)
  let at = SIGNATURE_SIZE
  let hasData = false
  for (;;) {
    const name = parseName(view, at + 4)
    const end = at + CHUNK_FRAME + view.getUint32(at)
    assertSound(end <= bytes.length, 'png: cut off')
    assertSound(name !== 'IHDR' || at === SIGNATURE_SIZE, 'png: two headers')
    if (name === 'fcTL') {
      const [frameWidth, frameHeight, x, y] = [12, 16, 20, 24].map(i => view.getUint32(at + i))
      const fits = isWithin(frameWidth, x, width) && isWithin(frameHeight, y, height)
      assertSound(fits, 'png: a frame beyond its canvas')
    }
    if (name === 'IDAT') hasData = true
    at = end
    if (name === 'IEND') break
  }
  assertSound(hasData, 'png: no data')
  return describeSurface(width, height, at)
}

function isWithin(size = 0, from = 0, whole = 0): boolean {
  return size > 0 && from + size <= whole
}

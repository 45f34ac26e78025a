import { assertSound, describeSurface, type Surface, viewOf } from './surface.ts'

const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const HEADER_SIZE = 13

/** GIF with all of its frames; one that reaches beyond the screen makes the canvas larger, as browsers do. */
export function measureGif(bytes: Uint8Array): Surface {
  const view = viewOf(bytes)
  let width = view.getUint16(6, true)
  let height = view.getUint16(8, true)
  let frames = 0
  let at = HEADER_SIZE + sizeOfColors(view.getUint8(10))
  for (;;) {
    const block = view.getUint8(at++)
    if (block === TRAILER) break
    if (block === EXTENSION) at = skipBlocks(at + 1)
    else {
      assertSound(block === IMAGE, 'gif: an unknown block')
      width = Math.max(width, view.getUint16(at, true) + view.getUint16(at + 4, true))
      height = Math.max(height, view.getUint16(at + 2, true) + view.getUint16(at + 6, true))
      // The byte before the data is the code size of its compression.
      at = skipBlocks(at + 9 + sizeOfColors(view.getUint8(at + 8)) + 1)
      frames += 1
    }
  }
  assertSound(frames > 0, 'gif: no frame')
  return describeSurface(width, height, at)

  function skipBlocks(from: number): number {
    let next = from
    for (let size = view.getUint8(next); size > 0; size = view.getUint8(next)) next += 1 + size
    return next + 1
  }
}

function sizeOfColors(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

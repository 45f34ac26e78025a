/**
 * What an image says of itself in its whole structure, read before anything decodes it. `width` and `height` are those of
 * its canvas, `pixels` of the largest surface that drawing it takes, and it ends before byte `end`; more is not part of it.
 */
export type Surface = { width: number; height: number; pixels: number; end: number }

/** The bytes are not a whole image of the format, or one whose parts contradict each other. */
export class DamagedImageError extends Error {
  override name = 'DamagedImageError'
}

/** A view that throws a RangeError behind the last byte, as where an image is cut off. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

/** Four characters of a chunk's or box's name. */
export function parseName(bytes: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map(i => bytes.getUint8(at + i)))
}

/** Throws DamagedImageError that names `what` is wrong. */
export function assertSound(sound: boolean, what: string): asserts sound {
  if (!sound) throw new DamagedImageError(what)
}

/** Throws for an image without any pixels. */
export function describeSurface(width: number, height: number, end: number): Surface {
  assertSound(width > 0 && height > 0, 'no pixels')
  return { width, height, pixels: width * height, end }
}

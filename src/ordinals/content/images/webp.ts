import { assertSound, describeSurface, parseName, type Surface, viewOf } from './surface.ts'

type Size = { width: number; height: number }
type Chunk = { name: string; at: number; end: number }

const RIFF_HEADER = 12
const CHUNK_HEADER = 8
/** Place, size, duration and flags of an animation's frame. */
const FRAME_HEADER = 16

/** WebP, still or animated: every picture in it must have the size that its container says. */
export function measureWebp(bytes: Uint8Array): Surface {
  const view = viewOf(bytes)
  const end = CHUNK_HEADER + view.getUint32(4, true)
  assertSound(end <= bytes.length, 'webp: cut off')
  const chunks = listChunks(view, RIFF_HEADER, end)
  const [first] = chunks
  assertSound(first !== undefined, 'webp: empty')
  const canvas =
    first.name === 'VP8X'
      ? { width: read24(view, first.at + 4) + 1, height: read24(view, first.at + 7) + 1 }
      : null
  const frames = chunks.filter(({ name }) => name === 'ANMF')
  const stills = chunks.flatMap(chunk => sizeOfPicture(view, chunk) ?? [])
  assertSound(frames.length > 0 ? stills.length === 0 : stills.length === 1, 'webp: no picture')
  for (const frame of frames) checkFrame(view, frame, canvas)
  const { width, height } = canvas ?? stills[0] ?? { width: 0, height: 0 }
  assertSound(stills.every(isOf({ width, height })), 'webp: another size')
  return describeSurface(width, height, end)
}

function checkFrame(view: DataView, { at, end }: Chunk, canvas: Size | null): void {
  const [x, y] = [2 * read24(view, at), 2 * read24(view, at + 3)]
  const size = { width: read24(view, at + 6) + 1, height: read24(view, at + 9) + 1 }
  const pictures = listChunks(view, at + FRAME_HEADER, end).flatMap(
    chunk => sizeOfPicture(view, chunk) ?? [],
  )
  const fits = canvas !== null && x + size.width <= canvas.width && y + size.height <= canvas.height
  assertSound(fits, 'webp: a frame beyond its canvas')
  assertSound(pictures.length === 1 && pictures.every(isOf(size)), 'webp: a frame of another size')
}

function listChunks(view: DataView, from: number, end: number): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = from; at < end; ) {
    const start = at + CHUNK_HEADER
    const length = view.getUint32(at + 4, true)
    assertSound(start + length <= end, 'webp: a chunk beyond its end')
    chunks.push({ name: parseName(view, at), at: start, end: start + length })
    at = start + length + (length % 2)
  }
  return chunks
}

/** Null for a chunk that holds no picture. */
function sizeOfPicture(view: DataView, { name, at }: Chunk): Size | null {
  if (name === 'VP8 ') {
    const hasStart = view.getUint16(at + 3) === 0x9d01 && view.getUint8(at + 5) === 0x2a
    assertSound(hasStart, 'webp: no key frame')
    const [width, height] = [at + 6, at + 8].map(i => view.getUint16(i, true) & 0x3fff)
    return { width: width ?? 0, height: height ?? 0 }
  }
  if (name !== 'VP8L') return null
  assertSound(view.getUint8(at) === 0x2f, 'webp: no lossless picture')
  const bits = view.getUint32(at + 1, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

function isOf({ width, height }: Size): (size: Size) => boolean {
  return size => size.width === width && size.height === height
}

function read24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000
}

import { measureSequence } from './av1-sequence.ts'
import { assertSound, describeSurface, parseName, type Surface, viewOf } from './surface.ts'

type Box = { name: string; at: number; end: number }
type Item = { id: number; at: number; end: number }

/** What else may stand beside pictures: metadata that no picture is made of. */
const METADATA = ['Exif', 'mime']

/**
 * AVIF (ISO 23000-22) of one picture, with or without transparency. The stream itself says how large it gets, not only the
 * properties around it. Sequences, and pictures put together from others, are taken for damaged.
 */
export function measureAvif(bytes: Uint8Array): Surface {
  const view = viewOf(bytes)
  const boxes = listBoxes(view, 0, bytes.length)
  assertSound(!boxes.some(({ name }) => name === 'moov'), 'avif: a sequence')
  const meta = listBoxes(view, find(boxes, 'meta').at + 4, find(boxes, 'meta').end)
  const pictures = listPictures(view, find(meta, 'iinf'))
  const items = listItems(view, find(meta, 'iloc'), bytes.length)
  const iprp = find(meta, 'iprp')
  const ipco = find(listBoxes(view, iprp.at, iprp.end), 'ipco')
  const sizes = listBoxes(view, ipco.at, ipco.end)
    .filter(({ name }) => name === 'ispe')
    .map(({ at }) => ({ width: view.getUint32(at + 4), height: view.getUint32(at + 8) }))
    .sort((a, b) => b.width * b.height - a.width * a.height)
  const [canvas] = sizes
  assertSound(canvas !== undefined && pictures.length > 0, 'avif: no picture')
  const streams = pictures.map(id => {
    const item = items.find(one => one.id === id)
    assertSound(item !== undefined, 'avif: a picture without data')
    return measureSequence(bytes.subarray(item.at, item.end))
  })
  const surface = describeSurface(canvas.width, canvas.height, boxes.at(-1)?.end ?? 0)
  return { ...surface, pixels: Math.max(surface.pixels, ...streams) }
}

function listBoxes(view: DataView, from: number, end: number): Box[] {
  const boxes: Box[] = []
  for (let at = from; at < end; ) {
    const size = view.getUint32(at)
    // Larger than 32 bits (1) and to the end (0) are forms that no encoder of stills writes.
    assertSound(size >= 8 && at + size <= end, 'avif: a box beyond its end')
    boxes.push({ name: parseName(view, at + 4), at: at + 8, end: at + size })
    at += size
  }
  return boxes
}

function find(boxes: readonly Box[], name: string): Box {
  const [box, another] = boxes.filter(one => one.name === name)
  assertSound(box !== undefined && !another, `avif: not one ${name}`)
  return box
}

/** Ids of the items that are pictures. */
function listPictures(view: DataView, { at, end }: Box): number[] {
  const entries = listBoxes(view, at + (view.getUint8(at) === 0 ? 6 : 8), end)
  return entries.flatMap(entry => {
    const wide = view.getUint8(entry.at) === 3
    const id = wide ? view.getUint32(entry.at + 4) : view.getUint16(entry.at + 4)
    const type = parseName(view, entry.at + (wide ? 10 : 8))
    assertSound(type === 'av01' || METADATA.includes(type), 'avif: an unknown item')
    return type === 'av01' ? id : []
  })
}

/** Where the data of each item is: one run of bytes of the file. */
function listItems(view: DataView, box: Box, length: number): Item[] {
  const version = view.getUint8(box.at)
  const sizes = view.getUint16(box.at + 4)
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
  const indexSize = version === 0 ? 0 : sizes & 15
  let at = box.at + 6
  const count = read(version < 2 ? 2 : 4)
  const items: Item[] = []
  for (let i = 0; i < count && at < box.end; i++) {
    const id = read(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : read(2) & 15
    assertSound(method === 0 && read(2) === 0, 'avif: data elsewhere')
    const base = read(baseSize)
    assertSound(read(2) === 1, 'avif: data in pieces')
    read(indexSize)
    const start = base + read(offsetSize)
    const end = start + read(lengthSize)
    assertSound(start < end && end <= length, 'avif: data beyond the end')
    items.push({ id, at: start, end })
  }
  return items

  function read(size: number): number {
    at += size
    if (size === 0) return 0
    if (size === 2) return view.getUint16(at - 2)
    assertSound(size === 4 || size === 8, 'avif: an unknown size')
    const high = size === 8 ? view.getUint32(at - 8) : 0
    return high * 2 ** 32 + view.getUint32(at - 4)
  }
}

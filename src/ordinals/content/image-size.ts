import { toHex } from '../../bitcoin/bytes.ts'
import { measureAvif } from './images/avif.ts'
import { measureGif } from './images/gif.ts'
import { measureJpeg } from './images/jpeg.ts'
import { measurePng } from './images/png.ts'
import { DamagedImageError, type Surface } from './images/surface.ts'
import { measureWebp } from './images/webp.ts'

/** The image formats that are rendered: raster formats, which hold no script and refer to no other file. */
export type RasterType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif'

/** How each begins, in hex. */
const FORMATS: { [type in RasterType]: { magic: RegExp; measure(bytes: Uint8Array): Surface } } = {
  'image/png': { magic: /^89504e470d0a1a0a/, measure: measurePng },
  'image/jpeg': { magic: /^ffd8ff/, measure: measureJpeg },
  'image/gif': { magic: /^474946383[79]61/, measure: measureGif },
  'image/webp': { magic: /^52494646.{8}57454250/, measure: measureWebp },
  'image/avif': { magic: /^000000..6674797061766966/, measure: measureAvif },
}

/** Reads an image of a type from its first byte to its last without decoding it; null for one that is damaged, or none of the type. */
export function measureImage(type: RasterType, bytes: Uint8Array): Surface | null {
  const { magic, measure } = FORMATS[type]
  if (!magic.test(headOf(bytes))) return null
  try {
    return measure(bytes)
  } catch (error) {
    if (error instanceof RangeError || error instanceof DamagedImageError) return null
    throw error
  }
}

/** The image format that bytes begin like; null for none of these. */
export function sniffImage(bytes: Uint8Array): RasterType | null {
  const head = headOf(bytes)
  for (const [type, { magic }] of Object.entries(FORMATS))
    if (magic.test(head)) return type as RasterType
  return null
}

function headOf(bytes: Uint8Array): string {
  return toHex(bytes.subarray(0, 12))
}

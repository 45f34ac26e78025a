// content: decides how bytes that an inscription or Atomical carries may be shown. It promises that only text and
// images of a checked type and size come out. It never runs content, and never hands a page, a script or an SVG to
// a document as such.

import { toBase64 } from '../../bitcoin/bytes.ts'
import { parseBrc20 } from './brc20-text.ts'
import { kindOfContent, parseRasterType } from './content-kind.ts'
import { measureImage, type RasterType } from './image-size.ts'

/** Content that is safe to show: an image of a checked type and size, text, or the reason why not. */
export type ContentView =
  | { kind: 'image' /** MIME type. */; type: string; base64: string; width: number; height: number }
  | { kind: 'text'; text: string /** More than this is left out. */; cut: boolean }
  | {
      kind: 'brc-20'
      op: 'deploy' | 'mint' | 'transfer'
      tick: string
      /** Of a deploy, its supply. */
      amount: string | null
      text: string
    }
  | {
      kind: 'placeholder'
      why: 'unsupported' | 'too-large' | 'too-many-pixels' | 'damaged' | 'unanswered' | 'empty'
    }

/** Content beyond this many bytes is not parsed; a block has no room for more. */
export const MAX_CONTENT = 4_000_000

/** 64 MiB once it is decoded. */
const MAX_PIXELS = 2 ** 24

/** Characters of text that are shown. */
const MAX_TEXT = 20_000
const MAX_PREVIEW = 600

/**
 * Content as our own pages may show it: an image of a type that cannot act, whose structure is whole and whose size was read
 * without decoding it; text; or a placeholder. Control and bidirectional characters are left in the text: the page that shows it
 * makes them visible.
 */
export function describeContent(
  { contentType, bytes }: { contentType: string | null; bytes: Uint8Array },
  preview: boolean,
): ContentView {
  if (bytes.length === 0) return placeholder('empty')
  if (bytes.length > MAX_CONTENT) return placeholder('too-large')
  const raster = parseRasterType(contentType)
  if (raster) return describeImage(raster, bytes)
  if (kindOfContent(contentType, bytes.length) !== 'text') return placeholder('unsupported')
  return describeText(contentType, bytes, preview ? MAX_PREVIEW : MAX_TEXT)
}

/** The source text of content that is not rendered because it could run code, such as HTML or SVG. */
export function describeSource(bytes: Uint8Array): ContentView {
  if (bytes.length === 0) return placeholder('empty')
  return bytes.length > MAX_CONTENT ? placeholder('too-large') : describeText(null, bytes, MAX_TEXT)
}

/** What follows the image's own end never leaves. */
function describeImage(type: RasterType, bytes: Uint8Array): ContentView {
  const surface = measureImage(type, bytes)
  if (!surface) return placeholder('damaged')
  const { width, height, pixels, end } = surface
  if (pixels > MAX_PIXELS) return placeholder('too-many-pixels')
  return { kind: 'image', type, base64: toBase64(bytes.subarray(0, end)), width, height }
}

function describeText(contentType: string | null, bytes: Uint8Array, limit: number): ContentView {
  const whole = decodeStart(bytes)
  if (whole === null) return placeholder('damaged')
  const text = whole.slice(0, limit).replace(/[\ud800-\udbff]$/, '')
  const cut = text.length < whole.length || bytes.length > MAX_TEXT_BYTES
  const brc20 = cut ? null : parseBrc20(contentType, text)
  return brc20 ? { kind: 'brc-20', ...brc20, text } : { kind: 'text', text, cut }
}

/** No character takes more than four. */
const MAX_TEXT_BYTES = 4 * MAX_TEXT

/** The first characters of strict UTF-8; null for anything else. */
function decodeStart(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, MAX_TEXT_BYTES), {
      stream: bytes.length > MAX_TEXT_BYTES,
    })
  } catch {
    return null
  }
}

/** In place of what cannot be shown. */
export function placeholder(why: (ContentView & { kind: 'placeholder' })['why']): ContentView {
  return { kind: 'placeholder', why }
}

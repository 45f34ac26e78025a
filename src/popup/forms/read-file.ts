import { joinBytes } from '../../bitcoin/bytes.ts'
import { parseMediaType } from '../../ordinals/content/content-kind.ts'

/** Types that browsers do not know of, or not on every system. */
const TYPES: { [ending: string]: string } = {
  avif: 'image/avif',
  css: 'text/css',
  glb: 'model/gltf-binary',
  gltf: 'model/gltf+json',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  mjs: 'text/javascript',
  stl: 'model/stl',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wasm: 'application/wasm',
  webp: 'image/webp',
  yaml: 'application/yaml',
}

/** Of a file that nothing is known of. */
export const UNKNOWN_TYPE = 'application/octet-stream'

/** Reads a file piece by piece; `onRead` hears how much of it is there, from 0 to 1. */
export async function readFile(
  file: Blob,
  onRead: (share: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = file.stream().getReader()
  const parts: Uint8Array[] = []
  for (let read = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) return joinBytes(parts) as Uint8Array<ArrayBuffer>
    parts.push(value)
    read += value.length
    onRead(read / file.size)
  }
}

/** The bytes compressed with gzip, which every browser and index reads; null where that makes them no smaller. */
export async function pack(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array | null> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))
  const packed = new Uint8Array(await new Response(stream).arrayBuffer())
  return packed.length < bytes.length ? packed : null
}

/** The content type to inscribe a file under: the browser's, else by its ending; text says that it is UTF-8 where it is. */
export function contentTypeOf(file: { name: string; type: string }, bytes: Uint8Array): string {
  const ending = /\.([a-z0-9]+)$/i.exec(file.name)?.[1]?.toLowerCase() ?? ''
  const named = Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined
  const type = parseMediaType(file.type) ?? named ?? UNKNOWN_TYPE
  return type.startsWith('text/') && isUtf8(bytes) ? `${type};charset=utf-8` : type
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

import { parseMediaType, parseRasterType } from '../content/content-kind.ts'
import { type CborMap, type CborValue, isCborMap } from './atomical-payload.ts'

/** A file that a mint carries, its content type as it states it, else by the file's name; null where neither gives one. */
export type AtomicalFile = { name: string; contentType: string | null; bytes: Uint8Array }

/** Sections of a payload that are not files. */
const SECTIONS = new Set(['args', 'meta', 'ctx', 'init'])

const MAX_FILES = 100
const MAX_NAME = 255

const TYPES: { [extension: string]: string } = {
  apng: 'image/apng',
  avif: 'image/avif',
  css: 'text/css',
  gif: 'image/gif',
  glb: 'model/gltf-binary',
  gltf: 'model/gltf+json',
  htm: 'text/html',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
}

/**
 * What stands for an NFT: the file that its arguments call `main`, else its first picture, else its first file; null for
 * none. Files are bytes under their name, or `$b` or `$d` with the content type in `$ct`, as atomicals-js writes them.
 */
export function parseAtomicalFile(payload: CborMap): AtomicalFile | null {
  const files = [...payload].slice(0, MAX_FILES).flatMap(([name, value]) => readFile(name, value))
  const args = payload.get('args')
  const main = isCborMap(args) ? args.get('main') : undefined
  return (
    files.find(({ name }) => name === main) ??
    files.find(({ contentType }) => isPicture(contentType)) ??
    files[0] ??
    null
  )
}

function readFile(name: CborValue, value: CborValue): AtomicalFile[] {
  if (typeof name !== 'string' || name.length > MAX_NAME || SECTIONS.has(name)) return []
  if (value instanceof Uint8Array) return [{ name, contentType: typeByName(name), bytes: value }]
  if (!isCborMap(value)) return []
  const bytes = [value.get('$b'), value.get('$d')].find(part => part instanceof Uint8Array)
  if (!bytes) return []
  const told = value.get('$ct')
  const type = typeof told === 'string' ? parseMediaType(told) : null
  return [{ name, contentType: type ?? typeByName(name), bytes }]
}

function typeByName(name: string): string | null {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return (Object.hasOwn(TYPES, extension) && TYPES[extension]) || null
}

function isPicture(contentType: string | null): boolean {
  return parseRasterType(contentType) !== null || contentType === 'image/svg+xml'
}

import type { RasterType } from './image-size.ts'

/** What content is by its declared type alone; `none` where there is no body. */
export type DeclaredKind =
  | 'image'
  | 'text'
  | 'svg'
  | 'html'
  | 'audio'
  | 'video'
  | 'model'
  | 'other'
  | 'none'

/** Also names in use that are not registered with IANA. */
const RASTERS: { [type: string]: RasterType } = {
  'image/png': 'image/png',
  'image/apng': 'image/png',
  'image/jpeg': 'image/jpeg',
  'image/jpg': 'image/jpeg',
  'image/gif': 'image/gif',
  'image/webp': 'image/webp',
  'image/avif': 'image/avif',
}

/** What is text although its type does not begin so. */
const TEXTS =
  /^application\/(json|.+\+json|(x-)?javascript|ecmascript|(x-)?yaml|toml|pgp-signature)$/

/** No registered type is longer. */
const LONGEST_TYPE = 127

/** A media type in lower case without its parameters; null for text that is none. */
export function parseMediaType(contentType: string | null): string | null {
  const [essence = ''] = (contentType ?? '').slice(0, LONGEST_TYPE + 1).split(';')
  const type = essence.trim().toLowerCase()
  return /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(type) ? type : null
}

/** The image format that a content type names; null for any that is not rendered. */
export function parseRasterType(contentType: string | null): RasterType | null {
  const type = parseMediaType(contentType)
  return (type !== null && Object.hasOwn(RASTERS, type) && RASTERS[type]) || null
}

/** The kind of a content type; `contentLength` in bytes, null where there is no body. */
export function kindOfContent(
  contentType: string | null,
  contentLength: number | null,
): DeclaredKind {
  if (contentLength === null) return 'none'
  const type = parseMediaType(contentType) ?? ''
  if (parseRasterType(type)) return 'image'
  if (type === 'image/svg+xml') return 'svg'
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (type.startsWith('text/') || TEXTS.test(type)) return 'text'
  const [group] = type.split('/')
  return group === 'audio' || group === 'video' || group === 'model' ? group : 'other'
}

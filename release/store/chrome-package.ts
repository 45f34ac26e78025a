import { LICENCES_FILE } from '../licences/licences.ts'
import { MOST_CHARACTERS, STORE_LANGUAGES } from './listing.ts'

/** The files of a package, by their paths. */
export type PackageFiles = { readonly [path: string]: Uint8Array }

/** Chrome takes 2 GiB; whoever installs the wallet fetches all of it. */
const MOST_BYTES = 10_000_000
const ICONS = [16, 32, 48, 128]
/** What a package is made of; anything else got in by mistake. */
const KINDS = /\.(js|css|html|json|png|woff2)$|^THIRD-PARTY-LICENSES\.txt$/
const STRAY = /(^|\/)(\.|node_modules\/|__MACOSX\/)|\.(map|ts|tsx|pem|key|log)$/

/**
 * What the Chrome Web Store, or Chrome where it loads the package, would refuse, a sentence each: version, icons, texts, files that are missing
 * or stray, code from elsewhere, size.
 */
export function listPackageFaults(files: PackageFiles, zipBytes: number): string[] {
  const manifestFile = files['manifest.json']
  if (!manifestFile) return ['manifest.json is not at the root of the package']
  const manifest = JSON.parse(decode(manifestFile))
  return [
    ...(zipBytes > MOST_BYTES ? [`The package has ${zipBytes} bytes, at most ${MOST_BYTES}`] : []),
    ...listManifestFaults(manifest),
    ...listIconFaults(manifest, files),
    ...listTextFaults(manifest, files),
    ...listNamedFiles(manifest)
      .filter(path => !(path in files))
      .map(path => `The manifest names ${path}, which is not there`),
    ...(`${LICENCES_FILE}.txt` in files ? [] : [`There is no ${LICENCES_FILE}.txt`]),
    ...Object.keys(files)
      .filter(path => STRAY.test(path) || !KINDS.test(path) || isReserved(path))
      .map(path => `${path} does not belong into a package`),
    ...Object.entries(files).flatMap(([path, bytes]) => listRemoteCode(path, decode(bytes))),
  ]
}

/** https://developer.chrome.com/docs/extensions/reference/manifest/version */
function listManifestFaults(manifest: { [key: string]: unknown }): string[] {
  const version = String(manifest.version)
  const numbers = version.split('.')
  const isVersion =
    numbers.length <= 4 &&
    numbers.every(number => /^(0|[1-9]\d{0,4})$/.test(number) && Number(number) <= 65_535) &&
    numbers.some(number => number !== '0')
  const policies = Object.values(Object(manifest.content_security_policy)).map(String)
  return [
    ...(manifest.manifest_version === 3 ? [] : ['manifest_version is not 3']),
    ...(isVersion ? [] : [`version is ${version}, expected one to four numbers up to 65535`]),
    ...(manifest.update_url === undefined ? [] : ['update_url is for packages outside of stores']),
    ...(manifest.key === undefined ? [] : ['key is for packages outside of stores']),
    ...policies
      .filter(policy => !/(^|; )script-src 'self';/.test(policy))
      .map(policy => `The policy lets other scripts run: ${policy}`),
  ]
}

function listIconFaults(manifest: { icons?: { [size: string]: string } }, files: PackageFiles) {
  return ICONS.flatMap(size => {
    const path = manifest.icons?.[size] ?? ''
    const icon = files[path]
    if (!icon) return [`There is no icon of ${size} pixels`]
    const view = new DataView(icon.buffer, icon.byteOffset, icon.byteLength)
    // The first chunk of a PNG has its width and height.
    const [width, height] = [view.getUint32(16), view.getUint32(20)]
    return width === size && height === size ? [] : [`${path} is ${width} × ${height}`]
  })
}

/** Name and description in each language, of the length that stores take. */
function listTextFaults(manifest: { [key: string]: unknown }, files: PackageFiles): string[] {
  const most = { name: MOST_CHARACTERS.name, description: MOST_CHARACTERS.summary }
  return STORE_LANGUAGES.flatMap(tag => {
    const file = files[`_locales/${tag.replace('-', '_')}/messages.json`]
    if (!file) return [`There are no words in ${tag}`]
    const words = JSON.parse(decode(file))
    return Object.entries(most).flatMap(([key, length]) => {
      const name = /^__MSG_(\w+)__$/.exec(String(manifest[key]))?.[1] ?? ''
      const text = String(words[name]?.message ?? '')
      if (text !== '' && text.length <= length) return []
      return [`${key} in ${tag} has ${text.length} characters, expected 1 to ${length}`]
    })
  })
}

/** Files that a manifest names, without what follows their path. */
function listNamedFiles(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listNamedFiles)
  if (typeof value === 'object' && value !== null)
    return Object.values(value).flatMap(listNamedFiles)
  if (typeof value !== 'string' || value.includes('://')) return []
  const path = value.replace(/[?#].*$/, '')
  return /^[\w./-]+\.(js|html|png|css)$/.test(path) ? [path] : []
}

/** Chrome keeps names that begin with an underscore for itself. */
function isReserved(path: string): boolean {
  return path.startsWith('_') && !path.startsWith('_locales/')
}

function listRemoteCode(path: string, text: string): string[] {
  const remote =
    /<script[^>]+src=["']?(?:https?:)?\/\/|\bimport\(\s*["'`](?:https?:|data:|blob:)|importScripts\(\s*["'`](?:https?:|data:|blob:)|^\/\/[#@] sourceMappingURL=/m
  const inline = /<script(?![^>]*\bsrc=)[^>]*>|\son\w+=["']/i
  const isPage = path.endsWith('.html')
  const isCode = path.endsWith('.js') || isPage
  const found = isCode ? (remote.exec(text) ?? (isPage ? inline.exec(text) : null)) : null
  return found ? [`${path} has code from elsewhere: ${found[0].slice(0, 80)}`] : []
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

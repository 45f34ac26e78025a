import { createHash } from 'node:crypto'
import { type LockedPackage, type LockFile, nameOf } from './lock-file.ts'

export interface SbomOptions {
  /** `satchel-chrome` or `satchel-firefox`. */
  readonly name: string
  readonly version: string
  /** Places in the lock file of the packages in the bundle. */
  readonly packages: readonly string[]
  readonly lock: LockFile
  /** The package for the store. */
  readonly zip: Uint8Array
}

/**
 * The bill of materials of a bundle, in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/), as text: the same for the same
 * bundle and lock file, as it has no time and its serial number is made of its content. Hashes of packages are those of the
 * registry's archives, as npm checks them. Throws for a package that the lock file does not have.
 */
export function formatSbom({ name, version, packages, lock, zip }: SbomOptions): string {
  const bundled = new Map(packages.map(path => [purlOf(path, lock), path]))
  const components = [...bundled]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([purl, path]) => describeComponent(purl, path, findLocked(path, lock)))
  const listNeeded = (path: string) =>
    Object.keys({ ...lock.packages[path]?.dependencies, ...lock.packages[path]?.peerDependencies })
      .map(needed => resolvePath(needed, path, lock))
      .map(found => (found === null ? '' : purlOf(found, lock)))
      .filter(purl => bundled.has(purl))
      .sort()
  const bom = {
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': name,
        name,
        version,
        hashes: [{ alg: 'SHA-256', content: hash('sha256', zip) }],
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components,
    dependencies: [
      { ref: name, dependsOn: listNeeded('') },
      ...components.map(({ purl }) => ({
        ref: purl,
        dependsOn: listNeeded(bundled.get(purl) ?? ''),
      })),
    ],
  }
  return writeBom(bom)
}

/**
 * The bill of materials of what only builds and tests the wallet, each package out of scope (`excluded`): what the lock file has and no bundle
 * does.
 */
export function formatToolsSbom(lock: LockFile, version: string): string {
  const paths = Object.keys(lock.packages).filter(path => path !== '')
  const isShipped = (path: string) => !isTool(lock.packages[path])
  const shipped = new Set(paths.filter(isShipped).map(path => purlOf(path, lock)))
  const byPurl = new Map(
    paths.map(path => [purlOf(path, lock), path] as const).filter(([purl]) => !shipped.has(purl)),
  )
  const components = [...byPurl]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([purl, path]) => ({
      ...describeComponent(purl, path, findLocked(path, lock)),
      scope: 'excluded',
    }))
  const name = 'satchel-tools'
  return writeBom({
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { type: 'application', 'bom-ref': name, name, version },
    },
    components,
  })
}

function isTool(locked: LockedPackage | undefined): boolean {
  return locked?.dev === true || locked?.optional === true || locked?.devOptional === true
}

function writeBom(bom: object): string {
  const whole = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${makeUuid(JSON.stringify(bom))}`,
    ...bom,
  }
  return `${JSON.stringify(whole, null, 2)}\n`
}

function describeComponent(purl: string, path: string, locked: LockedPackage) {
  const fullName = nameOf(path)
  const [group, name] = fullName.startsWith('@') ? fullName.split('/') : [undefined, fullName]
  const { version = '', integrity = '', license } = locked
  const content = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group === undefined ? {} : { group }),
    name,
    version,
    ...(license === undefined ? {} : { licenses: [describeLicence(license)] }),
    purl,
    hashes: [{ alg: 'SHA-512', content }],
  }
}

function describeLicence(license: string) {
  // npm's words for a licence that is in a file alone.
  if (/^SEE LICENSE IN /i.test(license)) return { license: { name: license } }
  return /[ (]/.test(license) ? { expression: license } : { license: { id: license } }
}

/** https://github.com/package-url/purl-spec */
function purlOf(path: string, lock: LockFile): string {
  return `pkg:npm/${nameOf(path).replace('@', '%40')}@${findLocked(path, lock).version}`
}

function findLocked(path: string, lock: LockFile): LockedPackage {
  const locked = lock.packages[path]
  if (locked?.integrity === undefined) {
    throw new Error(`package-lock.json has no hash for ${path}, which is in the bundle`)
  }
  return locked
}

/** Where Node finds a package that another one at `from` needs. */
function resolvePath(name: string, from: string, lock: LockFile): string | null {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (lock.packages[path]) return path
    if (folder === '') return null
  }
}

/** Of version 8, RFC 9562: of one's own making, here from a hash. */
function makeUuid(content: string): string {
  const digits = hash('sha256', content)
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}

function hash(algorithm: string, content: string | Uint8Array): string {
  return createHash(algorithm).update(content).digest('hex')
}

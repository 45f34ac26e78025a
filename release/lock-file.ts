import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What `package-lock.json` (version 3) says of a package; the path is where it is installed. */
export interface LockedPackage {
  readonly name?: string
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  /** Whether only tests and tools need it. */
  readonly dev?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
  readonly hasInstallScript?: boolean
  readonly license?: string
  readonly dependencies?: { readonly [name: string]: string }
  readonly devDependencies?: { readonly [name: string]: string }
  readonly optionalDependencies?: { readonly [name: string]: string }
  readonly peerDependencies?: { readonly [name: string]: string }
}

export interface LockFile {
  readonly lockfileVersion: number
  readonly version?: string
  readonly packages: { readonly [path: string]: LockedPackage }
}

/**
 * Packages that would run a script when they are installed, if `.npmrc` let any. All are for tests and the chain node, none is in
 * the extension, and all work without: they bring what the script would build, or are used through their JavaScript.
 */
export const INSTALL_SCRIPTS: { readonly [name: string]: string } = {
  bufferutil: 'optional speed of ws, which web3 brings; not built',
  'classic-level': 'brings its binaries; the script would look for one',
  esbuild: 'brings its binary as an optional package; the script would shorten its start',
  secp256k1: 'brings its binaries; the script would look for one, else it is JavaScript',
  'utf-8-validate': 'optional speed of ws, which web3 brings; not built',
}

/** The lock file of a folder. */
export function readLockFile(root: string): LockFile {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
}

/** The name of the package that is installed at a path such as `node_modules/a/node_modules/@b/c`. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** What is wrong with a lock file, a sentence each: packages that are not known by a hash, come from elsewhere, or would run code. */
export function listLockFaults(
  lock: LockFile,
  scripts: { readonly [name: string]: string } = INSTALL_SCRIPTS,
): string[] {
  if (lock.lockfileVersion !== 3) {
    return [`package-lock.json has version ${lock.lockfileVersion}, expected 3`]
  }
  const packages = Object.entries(lock.packages)
  const faults = packages.flatMap(([path, entry]) => [
    ...listSourceFaults(path, entry),
    ...(path === '' ? [] : listPackageFaults(path, entry, scripts)),
  ])
  const withScript = new Set(
    packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path)),
  )
  const unused = Object.keys(scripts).filter(name => !withScript.has(name))
  return [
    ...faults,
    ...unused.map(name => `${name} is let have an install script, but has none: take it out`),
  ]
}

function listPackageFaults(
  path: string,
  { integrity, resolved, link, hasInstallScript, name }: LockedPackage,
  scripts: { readonly [name: string]: string },
): string[] {
  const faults: string[] = []
  if (!SHA512.test(integrity ?? '')) {
    faults.push(`${path} has the integrity ${integrity ?? 'none'}, expected one SHA-512`)
  }
  if (link) faults.push(`${path} is a link to a folder, expected a package of the registry`)
  if (resolved !== undefined) {
    faults.push(`${path} is resolved to ${resolved}, expected no address: npm asks the registry`)
  }
  if (name !== undefined && name !== nameOf(path)) {
    faults.push(`${path} is another package, ${name}`)
  }
  if (hasInstallScript && !Object.hasOwn(scripts, nameOf(path))) {
    faults.push(`${path} has an install script, and no reason in release/lock-file.ts`)
  }
  return faults
}

/** Dependencies must be versions of the registry: no git, no address, no folder, no other package under this name. */
function listSourceFaults(path: string, entry: LockedPackage): string[] {
  const lists = [entry.dependencies, entry.devDependencies, entry.optionalDependencies]
  return lists
    .flatMap(list => Object.entries(list ?? {}))
    .filter(([, range]) => !RANGE.test(range))
    .map(([name, range]) => `${path || 'package.json'} wants ${name} from ${range}`)
}

const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/
/** Numbers with the signs of ranges, or a tag; `npm:` names a package of the registry. */
const RANGE = /^(npm:(@[\w.-]+\/)?[\w.-]+@)?[\w.*^~<>=| +-]*$/

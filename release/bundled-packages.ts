import { nameOf } from './lock-file.ts'

/**
 * The packages that modules of a bundler belong to, by their places in `package-lock.json`, such as
 * `node_modules/a/node_modules/b`, sorted. What the bundler itself adds is its package's; a module of no known place stands for
 * itself, so that it is in no list.
 *
 * @param moduleIds - paths, with queries or a leading zero byte as bundlers have them
 */
export function findPackages(moduleIds: Iterable<string>): string[] {
  const paths = new Set<string>()
  for (const id of moduleIds) {
    const path = findPackage(id.replaceAll('\\', '/'))
    if (path !== null) paths.add(path)
  }
  return [...paths].sort()
}

function findPackage(id: string): string | null {
  const place = /(?:^|\/)(node_modules\/.*)$/.exec(id)?.[1]
  if (place !== undefined) {
    const last = place.lastIndexOf('node_modules/')
    const name = /^(@[^/]+\/)?[^/?]+/.exec(place.slice(last + 'node_modules/'.length))?.[0]
    return `${place.slice(0, last)}node_modules/${name}`
  }
  if (!id.startsWith('\0') || OWN_MODULES.has(id)) return null
  const maker = /^\0(vite|rolldown)\//.exec(id)?.[1]
  return maker === undefined ? id : `node_modules/${maker}`
}

/** Modules that our own build makes up. */
const OWN_MODULES = new Set(['\0bip39-wordlists'])

/** The packages that CONTRIBUTING.md lets into the extension: the first columns of the two tables below that heading. */
export function readAllowedPackages(contributing: string): Set<string> {
  const chapter = contributing.split('## Dependencies and why\n')[1]
  if (chapter === undefined) throw new Error('CONTRIBUTING.md has no chapter on dependencies')
  return new Set(
    [...chapter.matchAll(/^\| ([^|]+) \|/gm)]
      .flatMap(([, cell = '']) => cell.split(', '))
      .map(name => name.replace(/ \d+$/, '').trim())
      .filter(name => name !== 'package'),
  )
}

/** Throws, with their names, where the packages of a bundle are not those that are allowed. */
export function assertAllowedPackages(
  paths: readonly string[],
  allowed: ReadonlySet<string>,
): void {
  const names = new Set(paths.map(nameOf))
  const foreign = paths.filter(path => !allowed.has(nameOf(path)))
  const missing = [...allowed].filter(name => !names.has(name))
  if (foreign.length > 0) {
    throw new Error(
      `The extension has packages that CONTRIBUTING.md gives no reason for: ${foreign.join(', ')}`,
    )
  }
  if (missing.length > 0) {
    throw new Error(`CONTRIBUTING.md names packages that are not in it: ${missing.join(', ')}`)
  }
}

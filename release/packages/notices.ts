import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly author?: string | { readonly name: string }
  readonly repository?: string | { readonly url: string }
}

/**
 * The licences of all packages that something of is in a bundle. Throws where one says nothing of its licence.
 *
 * @param inputs - files of the bundle, as paths from the root
 */
export function writeNotices(root: string, inputs: readonly string[]): string {
  const folders = new Set(
    inputs.flatMap(path => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  )
  const notices = [...folders].map(folder => describeFolder(join(root, folder)))
  return [...new Set(notices)].sort().join('\n')
}

function describeFolder(folder: string): string {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { name, version, license, author, repository } = manifest
  if (license === undefined)
    throw new Error(`${name} ${version} has no licence in its package.json`)
  const texts = readdirSync(folder)
    .filter(file => /^(licen[cs]e|copying|notice)/i.test(file))
    .sort()
    .map(file => readFileSync(join(folder, file), 'utf8').trim())
  const by = typeof author === 'string' ? author : author?.name
  const source = typeof repository === 'string' ? repository : repository?.url
  return [
    `${name} ${version} (${license})`,
    ...(by === undefined ? [] : [`By ${by}`]),
    ...(source === undefined ? [] : [`Source: ${source}`]),
    '',
    ...texts,
    '',
  ].join('\n')
}

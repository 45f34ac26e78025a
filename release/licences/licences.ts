import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly author?: string | { readonly name: string }
  readonly repository?: string | { readonly url: string }
}

/** The file with the licences of all packages in a tarball; in the extension it ends in `.txt`, which browsers show. */
export const LICENCES_FILE = 'THIRD-PARTY-LICENSES'

/** Texts of packages that bring none, as paths from the root. */
export const TEXTS_ELSEWHERE: { readonly [name: string]: string } = {
  // Its repository (bitcoinerlab/secp256k1, commit 9a0fb528) has no file of it either: what heads its index.js, and the licence
  // that this names, as SPDX has it.
  '@bitcoinerlab/secp256k1': 'release/licences/bitcoinerlab-secp256k1.txt',
  // Its repository (ethereumjs/ethereumjs-monorepo, commit 272509a9) has the same text for each package under MPL-2.0, but none in
  // packages/mpt.
  '@ethereumjs/mpt': 'node_modules/@ethereumjs/evm/LICENSE',
}

/**
 * The licences of packages: for each its name, version, identifier, author and source, and its text. Throws where one has no
 * identifier or no text.
 *
 * @param packages - their folders, as paths from the root
 */
export function writeLicences(root: string, packages: readonly string[]): string {
  const notices = packages.map(folder => describePackage(root, folder))
  return [...new Set(notices)].sort().join('\n')
}

/**
 * The SPDX expression that holds for code of ours, under MIT, together with packages: `MIT AND MPL-2.0`.
 *
 * @param packages - their folders, as paths from the root
 * @see https://spdx.github.io/spdx-spec/v3.0.1/annexes/spdx-license-expressions/
 */
export function joinLicences(root: string, packages: readonly string[]): string {
  const found = new Set(packages.map(folder => readManifest(root, folder).license))
  found.delete('MIT')
  const others = [...found].sort().map(name => (/^[^(].* OR /.test(name) ? `(${name})` : name))
  return ['MIT', ...others].join(' AND ')
}

function describePackage(root: string, folder: string): string {
  const { name, version, license, author, repository } = readManifest(root, folder)
  const texts = readTexts(root, folder, name)
  if (texts.length === 0) throw new Error(`${name} ${version} has no text of its licence`)
  const by = typeof author === 'string' ? author : author?.name
  const url = typeof repository === 'string' ? repository : repository?.url
  return [
    `${name} ${version} (${license})`,
    ...(by === undefined ? [] : [`By ${by}`]),
    ...(url === undefined ? [] : [`Source: ${url}`]),
    ...(license === 'MPL-2.0' ? [sayWhereSourceIs(root, folder, name, version)] : []),
    '',
    ...texts,
    '',
  ].join('\n')
}

function readManifest(root: string, folder: string): Manifest & { license: string } {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const { name, version, license } = manifest
  if (license === undefined)
    throw new Error(`${name} ${version} has no licence in its package.json`)
  return { ...manifest, license }
}

function readTexts(root: string, folder: string, name: string): string[] {
  const own = readdirSync(join(root, folder))
    .filter(file => /^(licen[cs]e|copying|notice)/i.test(file))
    .sort()
    .map(file => join(folder, file))
  const elsewhere = TEXTS_ELSEWHERE[name]
  const files = own.length === 0 && elsewhere !== undefined ? [elsewhere] : own
  return files.map(file => readFileSync(join(root, file), 'utf8').trim()).filter(Boolean)
}

/** MPL-2.0, 3.2 (a): who gets code that was compiled is told how to get its source. */
function sayWhereSourceIs(root: string, folder: string, name: string, version: string): string {
  if (!existsSync(join(root, folder, 'src')))
    throw new Error(`${name} ${version} has no folder src with the source that MPL-2.0 asks for`)
  return `Its source code, which is not changed here, is the folder src of the package: npm pack ${name}@${version}`
}

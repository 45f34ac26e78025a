import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is packed for other projects, and from where. Paths are from the root of the repository. */
export interface PackedPackage {
  /** The module that other projects import. */
  readonly entry: string
  /** The module that its command runs. */
  readonly command: string
  /** Packages that stay outside: they are native, or seldom needed and large. */
  readonly external: readonly string[]
  readonly alias: { readonly [name: string]: string }
  /** Of its package.json: what is its own. */
  readonly fields: PackageFields
}

export interface PackageFields {
  readonly name: string
  readonly description: string
  readonly keywords: readonly string[]
  readonly os?: readonly string[]
}

export type PackageName = 'devnet' | 'chain-node'

export const PACKAGE_NAMES: readonly PackageName[] = ['devnet', 'chain-node']

/** The description of a package. */
export function describePackage(root: string, name: PackageName): PackedPackage {
  const fields = readJson<PackageFields>(join(root, 'release/packages', name, 'fields.json'))
  if (name === 'devnet') {
    return {
      entry: 'src/devnet/start-devnet.ts',
      command: 'src/devnet/devnet.ts',
      external: ['ws'],
      alias: {},
      fields,
    }
  }
  return {
    entry: 'src/chain-node/start-chain-node.ts',
    command: 'src/chain-node/chain-node.ts',
    // As `npm run chain-node` has it.
    ...readJson<Pick<PackedPackage, 'external' | 'alias'>>(
      join(root, 'src/chain-node/bundle.json'),
    ),
    fields,
  }
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8'))
}

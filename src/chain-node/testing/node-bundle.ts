import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'

/** The node as one file, which starts several times faster than its sources. */
export interface NodeBundle {
  /** Arguments of Node.js. */
  readonly program: readonly string[]
  remove(): void
}

const ROOT = join(import.meta.dirname, '../../..')

/** The packages with native parts stay where they are installed. */
export async function bundleNode(): Promise<NodeBundle> {
  const folder = mkdtempSync(join(tmpdir(), 'chain-node-bundle-'))
  // Where its sources look for them.
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'src/chain-node'), { recursive: true })
  const outfile = join(folder, 'src/chain-node/chain-node.js')
  await build({
    entryPoints: [join(ROOT, 'src/chain-node/chain-node.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    external: ['classic-level', 'secp256k1', 'ws', 'hash-wasm'],
    banner: {
      js: "import{createRequire as createRequireHere}from'node:module';const require=createRequireHere(import.meta.url);",
    },
  })
  return { program: [outfile], remove: () => rmSync(folder, { recursive: true, force: true }) }
}

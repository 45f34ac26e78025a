import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import type { PackedPackage } from './packages.ts'

/** A bundle, and what is in it. */
export interface Bundle {
  /** Files by their names. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Packages that it looks for where it is installed. */
  readonly outside: readonly string[]
  /** Files that something of is in it, as paths from the root. */
  readonly inputs: readonly string[]
}

/** Packages that others look for and do without: `debug` for colours. */
const OPTIONAL = ['supports-color']

/** CommonJS modules in the bundle require Node's own by this. */
const REQUIRE =
  "import{createRequire as createRequireHere}from'node:module';const require=createRequireHere(import.meta.url);"

/** One ESM file each for the entry and the command, and chunks for what they share and for what they load later. */
export function bundle(root: string, { entry, command, external, alias }: PackedPackage): Bundle {
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: [entry, command],
    outdir: 'out',
    bundle: true,
    splitting: true,
    entryNames: '[name]',
    chunkNames: 'chunk-[hash]',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    external: [...external],
    alias: { ...alias },
    banner: { js: REQUIRE },
    metafile: true,
    write: false,
  })
  const outputs = Object.values(metafile.outputs)
  const imported = outputs.flatMap(({ imports }) =>
    imports.filter(one => one.external).map(({ path }) => path),
  )
  // What is looked up by its name, for a thread or where it may be missing, is no import.
  const lookedUp = outputFiles.flatMap(({ text }) =>
    [...text.matchAll(/createRequire\w*\(import\.meta\.url\)(?:\.resolve)?\("([^"]+)"\)/g)].map(
      ([, path = '']) => path,
    ),
  )
  const outside = [...imported, ...lookedUp].filter(path => !isBuiltin(path)).map(packageOf)
  return {
    files: new Map(
      outputFiles.map(({ path, contents }) => [path.slice(join(root, 'out/').length), contents]),
    ),
    outside: [...new Set(outside)].filter(name => !OPTIONAL.includes(name)).sort(),
    inputs: outputs.flatMap(({ inputs }) =>
      Object.entries(inputs)
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([path]) => path),
    ),
  }
}

/** `@a/b` of `@a/b/c.js`. */
function packageOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/')
}

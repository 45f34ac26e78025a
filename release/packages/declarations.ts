import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * The declarations of a module and of what they name in others, by their paths from `src`, to be read by any strict project:
 * they import each other alone. Throws where one would need a package.
 *
 * @param entry - a path from the root
 */
export function writeDeclarations(root: string, entry: string): ReadonlyMap<string, string> {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache', 'declarations-'))
  try {
    compile(root, entry, folder)
    const found = new Map<string, string>()
    collect(folder, relative('src', entry).replace(/\.ts$/, '.d.ts'), found)
    return found
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function compile(root: string, entry: string, folder: string): void {
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: join(root, 'src'),
      outDir: folder,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: [join(root, entry)],
    include: [],
  }
  const path = join(folder, 'tsconfig.json')
  writeFileSync(path, JSON.stringify(config))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', path], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

function collect(folder: string, path: string, found: Map<string, string>): void {
  if (found.has(path)) return
  const text = readFileSync(join(folder, path), 'utf8')
  const imported = [...text.matchAll(/(?:\bfrom |\bimport\()'([^']+)'/g)].map(
    ([, name = '']) => name,
  )
  const foreign = imported.find(name => !name.startsWith('.'))
  if (foreign !== undefined) throw new Error(`The declarations of ${path} need ${foreign}`)
  found.set(path, text.replace(/((?:\bfrom |\bimport\()'[^']+)\.ts'/g, "$1.js'"))
  for (const name of imported) {
    collect(folder, join(dirname(path), name.replace(/\.ts$/, '.d.ts')), found)
  }
}

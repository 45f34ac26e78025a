import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The version in the nearest package.json: the project's, or that of the package that this was packed into. */
export function readVersion(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')).version
    if (folder === dirname(folder)) throw new Error('No package.json above the chain node')
  }
}

import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { readLockFile } from './lock-file.ts'

/** What a build hands over, in `dist/`. */
export const BUILT_FILES = ['chrome', 'firefox'].flatMap(browser => [
  `satchel-${browser}.zip`,
  `satchel-${browser}.cdx.json`,
])

/**
 * Builds the source as it is committed in a folder of another path and length, with the packages of this one, and compares what
 * comes out with `dist/`. Throws with the names of the files that differ.
 */
export function verifyBuild(root: string): void {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache', 'another-place-'))
  try {
    exportSource(root, folder)
    linkPackages(root, folder)
    execFileSync('npm', ['run', 'build'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    const different = BUILT_FILES.filter(
      name =>
        !readFileSync(join(root, 'dist', name)).equals(readFileSync(join(folder, 'dist', name))),
    )
    if (different.length > 0) {
      throw new Error(
        `dist/ is not what the committed source gives: ${different.join(', ')}. If the source has changed since, npm run build comes first.`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Files of a commit, and nothing else that lies about. */
export function exportSource(root: string, folder: string, commit = 'HEAD'): void {
  const archive = execFileSync('git', ['archive', '--format=tar', commit], {
    cwd: root,
    maxBuffer: 2 ** 30,
  })
  execFileSync('tar', ['-xf', '-', '-C', folder], { input: archive })
}

/**
 * What the extension is made of under another path: the same files, not links to folders, which bundlers see through. The tools
 * that build it stay where they are.
 */
export function linkPackages(root: string, folder: string): void {
  const { packages } = readLockFile(root)
  for (const name of listTopFolders(join(root, 'node_modules'))) {
    const path = join('node_modules', name)
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    const entry = packages[path]
    const isTool = !entry || entry.dev === true
    if (isTool) symlinkSync(join(root, path), join(folder, path))
    else linkFolder(join(root, path), join(folder, path))
  }
}

/** Names of packages, with their scopes, and `.bin`. */
function listTopFolders(modules: string): string[] {
  return readdirSync(modules).flatMap(name =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map(part => join(name, part)) : [name],
  )
}

function linkFolder(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkFolder(source, target)
    else linkFile(source, target)
  }
}

function linkFile(source: string, target: string): void {
  try {
    linkSync(source, target)
  } catch {
    // Not within one file system, or not on this one.
    copyFileSync(source, target)
  }
}

if (process.argv[1] === import.meta.filename) {
  verifyBuild(join(import.meta.dirname, '..'))
  process.stdout.write(`The committed source gives the same again: ${BUILT_FILES.join(', ')}\n`)
}

import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'

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
    linkFolder(join(root, 'node_modules'), join(folder, 'node_modules'))
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

/** Files of the last commit, and nothing else that lies about. */
function exportSource(root: string, folder: string): void {
  const archive = execFileSync('git', ['archive', '--format=tar', 'HEAD'], {
    cwd: root,
    maxBuffer: 2 ** 30,
  })
  execFileSync('tar', ['-xf', '-', '-C', folder], { input: archive })
}

/** The same files under another path, not a link to the folder: bundlers would see through that. */
function linkFolder(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkFolder(source, target)
    else if (entry.isFile()) linkFile(source, target)
    else symlinkSync(readlinkSync(source), target)
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

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { readLockFile } from './lock-file.ts'
import { formatToolsSbom } from './sbom.ts'
import { BUILT_FILES } from './verify-build.ts'

/** The source as it is committed, for who builds the package for Firefox from it. */
export const SOURCE_PACKAGE = 'satchel-source.zip'
/** The bill of materials of what builds and tests the wallet. */
export const TOOLS_SBOM = 'satchel-tools.cdx.json'

/**
 * Builds what is committed in a new clone, with packages installed anew, and a second time from the source package alone, unpacked elsewhere,
 * by the commands in its BUILDING.md. Throws where the two differ in a byte.
 *
 * @param check - gets the folder with the packages before the second build, which would tell that a tool has changed them
 * @param use - gets the folder with all that a release hands over, which is gone afterwards
 */
export function buildClean(
  root: string,
  version: string,
  { check, use }: { check(folder: string): void; use(folder: string): void },
): void {
  const place = mkdtempSync(join(tmpdir(), 'satchel-release-'))
  try {
    const clone = join(place, 'clone')
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone], { stdio: 'inherit' })
    runCommands(clone)
    const dist = join(clone, 'dist')
    check(dist)
    packSource(clone, join(dist, SOURCE_PACKAGE))
    const again = join(place, 'from-the-source-package')
    unpack(join(dist, SOURCE_PACKAGE), again)
    runCommands(again)
    assertSameFiles(dist, join(again, 'dist'), BUILT_FILES)
    writeFileSync(join(dist, TOOLS_SBOM), formatToolsSbom(readLockFile(clone), version))
    use(dist)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** The files of the last commit and nothing else, with its time, which zip files have without a zone. */
export function packSource(root: string, target: string): void {
  const args = ['archive', '--format=zip', `--output=${target}`, 'HEAD']
  execFileSync('git', args, { cwd: root, env: { ...process.env, TZ: 'UTC' } })
}

export function unpack(zip: string, folder: string): void {
  for (const [path, bytes] of Object.entries(unzipSync(readFileSync(zip)))) {
    if (path.endsWith('/')) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
}

/** The commands that BUILDING.md names, in its first block of them. */
export function readCommands(text: string): string[] {
  const block = /```sh\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
  return block.split('\n').filter(line => line !== '')
}

/** Throws with the names of the files that differ. */
export function assertSameFiles(first: string, second: string, names: readonly string[]): void {
  const different = names.filter(
    name => !readFileSync(join(first, name)).equals(readFileSync(join(second, name))),
  )
  if (different.length > 0) {
    throw new Error(`The source package gives other bytes: ${different.join(', ')}`)
  }
}

function runCommands(folder: string): void {
  const commands = readCommands(readFileSync(join(folder, 'BUILDING.md'), 'utf8'))
  if (commands.length === 0) throw new Error('BUILDING.md names no command')
  for (const command of commands) {
    process.stdout.write(`${command}\n`)
    execFileSync('sh', ['-c', command], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  }
}

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readSection } from './changelog.ts'
import { buildClean, SOURCE_PACKAGE, TOOLS_SBOM } from './clean-build.ts'
import { checkPackages } from './store/check-packages.ts'
import { writeListings } from './store/listing.ts'
import { BUILT_FILES } from './verify-build.ts'
import { assertNewVersion, readVersion } from './version.ts'

// `npm run release -- --key FILE`: what a release is made of, in artifacts/release/VERSION. It publishes nothing.

/** What a release has checksums of. */
export const RELEASED_FILES = [...BUILT_FILES, SOURCE_PACKAGE, TOOLS_SBOM]

export const CHECKSUMS = 'SHA256SUMS'
/** What keeps a signature of a release from being taken for another of the same key, and the other way round. */
export const NAMESPACE = 'satchel-release'
const SIGNERS = 'release/allowed_signers'

/** Builds what is committed, and hands the folder with {@link RELEASED_FILES} to `use`. */
export type Build = (root: string, version: string, use: (folder: string) => void) => void

/**
 * Checks that the tree is clean, that package.json, its lock file, the manifest and the changelog agree on the version, and that it is above
 * the last tag; builds; and writes packages, bills of materials, their checksums, the signature of these, the notes and what the
 * stores are told. Throws with the reason, and leaves no folder then.
 *
 * @param key - private key, or the public one of a key in an agent or on a device; null for a release that nobody signs
 * @returns the folder
 */
export function makeRelease(root: string, key: string | null, build: Build): string {
  const version = readVersion(root)
  const notes = readSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)
  assertNewVersion(root, version)
  assertClean(root)
  const signer = key === null ? null : findSigner(root, key)
  const folder = join(root, 'artifacts', 'release', version)
  rmSync(folder, { recursive: true, force: true })
  try {
    build(root, version, built => {
      mkdirSync(folder, { recursive: true })
      for (const name of RELEASED_FILES) copyFileSync(join(built, name), join(folder, name))
    })
    assertClean(root)
    const lines = RELEASED_FILES.map(name => {
      const digest = createHash('sha256').update(readFileSync(join(folder, name)))
      return `${digest.digest('hex')}  ${name}\n`
    })
    writeFileSync(join(folder, CHECKSUMS), lines.join(''))
    if (key !== null && signer !== null) sign(root, join(folder, CHECKSUMS), key, signer)
    const commit = git(root, 'rev-parse', 'HEAD').trim()
    const head = `# Satchel ${version}\n\nCommit ${commit}. How to check a download: SECURITY.md.\n`
    writeFileSync(join(folder, 'RELEASE_NOTES.md'), `${head}\n${notes}\n`)
    return folder
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function assertClean(root: string): void {
  const changes = git(root, 'status', '--porcelain', '--untracked-files=all')
  if (changes !== '') throw new Error(`The tree is not what is committed:\n${changes}`)
}

/** Who the key is in the list from which people check signatures: a release that nobody can check is none. */
function findSigner(root: string, key: string): string {
  const publicKey = readPublicKey(key)
  const path = join(root, SIGNERS)
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  const line = lines.find(text => text.includes(publicKey))
  if (line === undefined) {
    throw new Error(
      `${SIGNERS} does not have the key of ${key}. Commit a line for it first: you@example.org namespaces="${NAMESPACE}" ${publicKey}`,
    )
  }
  return line.split(' ')[0] ?? ''
}

function readPublicKey(key: string): string {
  const path = key.endsWith('.pub') ? key : `${key}.pub`
  if (!existsSync(path)) throw new Error(`${path} is not there: ssh-keygen -t ed25519 makes a key`)
  return readFileSync(path, 'utf8').split(' ').slice(0, 2).join(' ').trim()
}

/** Signs as https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.sshsig says, and checks it as others will. */
function sign(root: string, file: string, key: string, signer: string): void {
  execFileSync('ssh-keygen', ['-Y', 'sign', '-f', key, '-n', NAMESPACE, file], {
    stdio: ['inherit', 'ignore', 'pipe'],
  })
  execFileSync(
    'ssh-keygen',
    ['-Y', 'verify', '-f', join(root, SIGNERS), '-I', signer, '-n', NAMESPACE, '-s', `${file}.sig`],
    { input: readFileSync(file), stdio: ['pipe', 'ignore', 'inherit'] },
  )
}

function git(root: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' })
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { key: { type: 'string' }, unsigned: { type: 'boolean' } },
  })
  const key = values.key ?? process.env.SATCHEL_RELEASE_KEY
  const root = join(import.meta.dirname, '..')
  try {
    if (key === undefined && !values.unsigned)
      throw new Error(
        '--key FILE or SATCHEL_RELEASE_KEY names the key to sign with; --unsigned does without',
      )
    const folder = makeRelease(
      root,
      values.unsigned || key === undefined ? null : key.replace(/^~(?=\/)/, homedir()),
      (from, version, use) => buildClean(from, version, { check: checkPackages, use }),
    )
    writeListings(root, join(folder, 'store'))
    process.stdout.write(`${folder} has the release. Nothing is published.\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readSection } from './changelog.ts'
import { readLockFile } from './lock-file.ts'
import { BUILT_FILES, verifyBuild } from './verify-build.ts'

// `npm run release -- --key FILE`: what a release is made of, in artifacts/release/VERSION. It publishes nothing.

export const CHECKSUMS = 'SHA256SUMS'
/** What keeps a signature of a release from being taken for another of the same key, and the other way round. */
export const NAMESPACE = 'satchel-release'
const SIGNERS = 'release/allowed_signers'

/**
 * Checks that the tree is clean and that package.json, its lock file, the manifest and the changelog agree on the version;
 * builds; and writes zips, bills of materials, their checksums, the signature of these and the notes. Throws with the reason,
 * and leaves no folder then.
 *
 * @param key - private key, or the public one of a key in an agent or on a device
 * @param build - makes `dist/` and makes sure of it
 * @returns the folder
 */
export function makeRelease(root: string, key: string, build: (root: string) => void): string {
  const version = readVersion(root)
  const notes = readSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)
  assertClean(root)
  const signer = findSigner(root, key)
  build(root)
  assertClean(root)
  const folder = join(root, 'artifacts', 'release', version)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    const lines = BUILT_FILES.map(name => {
      copyFileSync(join(root, 'dist', name), join(folder, name))
      const digest = createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')
      return `${digest}  ${name}\n`
    })
    writeFileSync(join(folder, CHECKSUMS), lines.join(''))
    sign(root, join(folder, CHECKSUMS), key, signer)
    const commit = git(root, 'rev-parse', 'HEAD').trim()
    const head = `# Satchel ${version}\n\nCommit ${commit}. How to check a download: SECURITY.md.\n`
    writeFileSync(join(folder, 'RELEASE_NOTES.md'), `${head}\n${notes}\n`)
    return folder
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** The one version that all files with one have. */
function readVersion(root: string): string {
  const read = (name: string): { version?: string } =>
    JSON.parse(readFileSync(join(root, name), 'utf8'))
  const lock = readLockFile(root)
  const versions: [string, string | undefined][] = [
    ['package.json', read('package.json').version],
    ['manifest.json', read('manifest.json').version],
    ['package-lock.json', lock.version],
    ["package-lock.json's first package", lock.packages['']?.version],
  ]
  const version = versions[0]?.[1] ?? ''
  for (const [name, found] of versions) {
    if (found !== version || !/^\d+\.\d+\.\d+$/.test(version)) {
      throw new Error(`${name} has version ${found}, expected that of package.json, ${version}`)
    }
  }
  return version
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

function buildAndVerify(root: string): void {
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' })
  verifyBuild(root)
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { key: { type: 'string' } } })
  const key = values.key ?? process.env.SATCHEL_RELEASE_KEY
  try {
    if (key === undefined)
      throw new Error('--key FILE or SATCHEL_RELEASE_KEY names the key to sign with')
    const folder = makeRelease(
      join(import.meta.dirname, '..'),
      key.replace(/^~(?=\/)/, homedir()),
      buildAndVerify,
    )
    process.stdout.write(`${folder} has the release. Nothing is published.\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}

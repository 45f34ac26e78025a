import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readLockFile } from './lock-file.ts'

/** The one version that all files with one have. Chrome takes up to four numbers below 65,536, without zeros in front. */
export function readVersion(root: string): string {
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

/** Throws where a tag of the repository, such as `v0.1.0`, has the version already or a higher one. */
export function assertNewVersion(root: string, version: string): void {
  const tags = execFileSync('git', ['tag', '--list', 'v*'], { cwd: root, encoding: 'utf8' })
  const released = tags.split('\n').filter(tag => /^v\d+\.\d+\.\d+$/.test(tag))
  const last = released.sort((a, b) => compareVersions(a.slice(1), b.slice(1))).at(-1)
  if (last !== undefined && compareVersions(version, last.slice(1)) <= 0) {
    throw new Error(`The version is ${version}, expected one above the last tag, ${last}`)
  }
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map(version => version.split('.').map(Number))
  for (const [at, number] of (left ?? []).entries()) {
    const difference = number - (right?.[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

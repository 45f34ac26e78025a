import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type LockedPackage, type LockFile, listLockFaults, readLockFile } from './lock-file.ts'

const ROOT = join(import.meta.dirname, '..')
const INTEGRITY = `sha512-${'A'.repeat(86)}==`

function lock(entry: LockedPackage, path = 'node_modules/a'): LockFile {
  return { lockfileVersion: 3, packages: { '': {}, [path]: { integrity: INTEGRITY, ...entry } } }
}

describe('package-lock.json', () => {
  it('has every package by its SHA-512, from the registry, and no install script without a reason', () => {
    const file = readLockFile(ROOT)
    expect(Object.keys(file.packages).length).toBeGreaterThan(500)
    expect(listLockFaults(file)).toEqual([])
  })

  it('is installed without running scripts', () => {
    const settings = readFileSync(join(ROOT, '.npmrc'), 'utf8').split('\n')
    expect(settings).toContain('ignore-scripts=true')
    expect(settings.filter(line => /registry *=/.test(line))).toEqual([])
  })
})

describe('listLockFaults', () => {
  const none: [string, LockFile][] = [
    ['a package with a hash', lock({ version: '1.0.0' })],
    ['ranges', lock({ dependencies: { b: '^1.2.3 || >=2 <3', c: '*', d: 'npm:@x/y@~1.0.0' } })],
  ]
  it.each(none)('takes %s', (_, file) => {
    expect(listLockFaults(file, {})).toEqual([])
  })

  const faulty: [string, LockFile, RegExp][] = [
    ['no hash', { lockfileVersion: 3, packages: { 'node_modules/a': {} } }, /integrity none/],
    ['SHA-1', lock({ integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }), /sha1-2jmj.*one SHA-512/],
    ['a choice of hashes', lock({ integrity: `${INTEGRITY} ${INTEGRITY}` }), /one SHA-512/],
    ['an address', lock({ resolved: 'https://evil.example/a.tgz' }), /resolved to https:\/\/evil/],
    ['a link', lock({ link: true }), /is a link/],
    ['another name', lock({ name: 'evil' }), /is another package, evil/],
    ['an install script', lock({ hasInstallScript: true }), /has an install script/],
    ['git', lock({ dependencies: { b: 'git+ssh://git@x.example/b.git' } }), /wants b from git/],
    ['GitHub', lock({ optionalDependencies: { b: 'someone/b' } }), /wants b from someone\/b/],
    ['http', lock({ dependencies: { b: 'http://x.example/b.tgz' } }), /wants b from http:/],
    ['a folder', lock({ devDependencies: { b: 'file:../b' } }, ''), /package.json wants b/],
    ['an old lock file', { lockfileVersion: 1, packages: {} }, /version 1, expected 3/],
  ]
  it.each(faulty)('names %s', (_, file, text) => {
    expect(listLockFaults(file, {})).toEqual([expect.stringMatching(text)])
  })

  it('takes an install script that has a reason, at any depth, and names a reason that none needs', () => {
    const file = lock({ hasInstallScript: true }, 'node_modules/b/node_modules/@x/a')
    expect(listLockFaults(file, { '@x/a': 'brings its binary' })).toEqual([])
    expect(listLockFaults(lock({}), { a: 'brings its binary' })).toEqual([
      'a is let have an install script, but has none: take it out',
    ])
  })
})

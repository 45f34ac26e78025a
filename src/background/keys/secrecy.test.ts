import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const BACKGROUND = join(dirname(fileURLToPath(import.meta.url)), '..')

/** The one door to the console; it is given messages and errors, never secrets. */
const LOG = join(BACKGROUND, 'primitives/log.ts')

const files = [BACKGROUND, join(BACKGROUND, '../bitcoin'), join(BACKGROUND, '../storage')].flatMap(
  folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(path => /\.ts$/.test(path) && !/\.test\.ts$/.test(path) && !/testing\//.test(path))
      .map(path => join(folder, path)),
)

function filesWith(pattern: RegExp): string[] {
  return files.filter(path => pattern.test(readFileSync(path, 'utf8')))
}

describe('source that handles keys', () => {
  it('is found by this test', () => {
    expect(files).toContain(join(BACKGROUND, 'keys/vault.ts'))
    expect(filesWith(/\bgetRandomValues\b/)).toContain(
      join(BACKGROUND, 'primitives/random-source.ts'),
    )
  })

  it('never uses Math.random', () => {
    expect(filesWith(/\bMath\s*\.\s*random\b/)).toEqual([])
  })

  it('writes to the console in one place only', () => {
    expect(filesWith(/\bconsole\s*\./).filter(path => path !== LOG)).toEqual([])
  })

  it('opens the vault in the signer, the list of accounts, the guard of records and backups only', () => {
    const openers = [
      'authentic-records.ts',
      'backup-vault.ts',
      'signer.ts',
      'vault-accounts.ts',
    ].map(name => join(BACKGROUND, 'keys', name))
    expect(filesWith(/\bvault\.(open|reveal|update)\(/).sort()).toEqual(openers)
  })
})

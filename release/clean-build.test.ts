import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { assertSameFiles, packSource, readCommands, unpack } from './clean-build.ts'

const ROOT = join(import.meta.dirname, '..')
const isMissing = spawnSync('git', ['--version'], { stdio: 'ignore' }).error !== undefined
const options = { skip: isMissing, meta: { skipReason: 'git is not installed' } }

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'clean-build-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

describe('the source package', () => {
  it('has what is committed, byte for byte, and nothing that lies about', options, () => {
    const folder = makeFolder()
    const [root, again] = [join(folder, 'root'), join(folder, 'again')]
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=a@example.org', ...args], {
        cwd: root,
      })
    mkdirSync(join(root, 'src'), { recursive: true })
    const bytes = Uint8Array.from({ length: 300 }, (_, at) => at % 256)
    writeFileSync(join(root, 'src/a.bin'), bytes)
    git('init', '-q')
    git('add', '-A')
    git('commit', '-q', '-m', 'First')
    writeFileSync(join(root, 'secret.txt'), 'a')
    packSource(root, join(folder, 'source.zip'))
    unpack(join(folder, 'source.zip'), again)
    assertSameFiles(root, again, ['src/a.bin'])
    expect(() => readFileSync(join(again, 'secret.txt'))).toThrow('ENOENT')
    writeFileSync(join(again, 'src/a.bin'), 'b')
    expect(() => assertSameFiles(root, again, ['src/a.bin'])).toThrow('other bytes: src/a.bin')
  })

  it('says by which commands it is built', () => {
    const commands = readCommands(readFileSync(join(ROOT, 'BUILDING.md'), 'utf8'))
    expect(commands).toEqual(['npm ci', 'npm run build'])
  })
})

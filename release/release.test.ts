import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readSection } from './changelog.ts'
import { type Build, CHECKSUMS, makeRelease, NAMESPACE, RELEASED_FILES } from './release.ts'

const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-24\n\n### Added\n\n- Signed releases.\n\n## [1.2.2] - 2026-01-01\n\n- Old.\n'
const isMissing = ['git', 'ssh-keygen'].some(
  program => spawnSync(program, ['-?'], { stdio: 'ignore' }).error !== undefined,
)
const options = { skip: isMissing, meta: { skipReason: 'git or ssh-keygen is not installed' } }

/** A repository with a version, a changelog and a throw-away key. */
function makeRepository() {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const key = join(folder, 'key')
  const root = join(folder, 'source')
  mkdirSync(join(root, 'release'), { recursive: true })
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  const write = (name: string, content: string | object) =>
    writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content))
  const version = '1.2.3'
  write('package.json', { version })
  write('manifest.json', { version })
  write('package-lock.json', { lockfileVersion: 3, version, packages: { '': { version } } })
  write('CHANGELOG.md', CHANGELOG)
  write('.gitignore', 'dist/\nartifacts/\n')
  const publicKey = readFileSync(`${key}.pub`, 'utf8')
  write('release/allowed_signers', `ann@example.org namespaces="${NAMESPACE}" ${publicKey}`)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], {
      cwd: root,
    })
  const commit = () => {
    git('add', '-A')
    git('commit', '-q', '-m', 'Change')
  }
  git('init', '-q')
  commit()
  const build: Build = (_, version, use) => {
    expect(version).toBe('1.2.3')
    mkdirSync(join(root, 'dist'), { recursive: true })
    for (const name of RELEASED_FILES) write(join('dist', name), `content of ${name}`)
    use(join(root, 'dist'))
  }
  const tag = (name: string) => git('tag', name)
  return { root, key, write, commit, tag, build, release: () => makeRelease(root, key, build) }
}

const verify = (root: string, folder: string, content: Uint8Array) =>
  spawnSync(
    'ssh-keygen',
    [
      ...['-Y', 'verify', '-f', join(root, 'release/allowed_signers'), '-I', 'ann@example.org'],
      ...['-n', NAMESPACE, '-s', join(folder, `${CHECKSUMS}.sig`)],
    ],
    { input: content },
  ).status

describe('a release', () => {
  it(
    'has the built files with checksums that sha256sum takes, signed, and its part of the changelog',
    options,
    () => {
      const { root, release } = makeRepository()
      const folder = release()
      expect(folder).toBe(join(root, 'artifacts/release/1.2.3'))
      const sums = readFileSync(join(folder, CHECKSUMS))
      expect(execFileSync('sha256sum', ['-c', CHECKSUMS], { cwd: folder, encoding: 'utf8' })).toBe(
        RELEASED_FILES.map(name => `${name}: OK\n`).join(''),
      )
      expect(verify(root, folder, sums)).toBe(0)
      expect(verify(root, folder, Buffer.concat([sums, Buffer.from(' ')]))).not.toBe(0)
      const notes = readFileSync(join(folder, 'RELEASE_NOTES.md'), 'utf8')
      expect(notes).toContain('# Satchel 1.2.3')
      expect(notes).toContain('- Signed releases.')
      expect(notes).not.toContain('Old.')
    },
  )

  type Repository = ReturnType<typeof makeRepository>
  const refusals: [string, (repository: Repository) => void, string][] = [
    [
      'a changed file',
      ({ write }) => write('README.md', 'new'),
      'not what is committed:\n?? README.md',
    ],
    [
      'versions that differ',
      ({ write, commit }) => {
        write('manifest.json', { version: '1.2.4' })
        commit()
      },
      'manifest.json has version 1.2.4, expected that of package.json, 1.2.3',
    ],
    [
      'a changelog without the version',
      ({ write, commit }) => {
        write('CHANGELOG.md', CHANGELOG.replaceAll('1.2.3', '1.3.0'))
        commit()
      },
      'The newest version in CHANGELOG.md is [1.3.0] - 2026-11-24, expected [1.2.3]',
    ],
    ['a version that has been released', ({ tag }) => tag('v1.2.3'), 'above the last tag, v1.2.3'],
    [
      'a version below the last one, by numbers',
      ({ tag }) => {
        for (const name of ['v1.2.2', 'v1.10.0', 'v1.9.0', 'v2-beta']) tag(name)
      },
      'The version is 1.2.3, expected one above the last tag, v1.10.0',
    ],
    [
      'a key that nobody can check',
      ({ write, commit }) => {
        write('release/allowed_signers', '')
        commit()
      },
      'release/allowed_signers does not have the key',
    ],
  ]
  it.each(refusals)('is refused for %s, before anything is built', options, (_, change, text) => {
    const repository = makeRepository()
    change(repository)
    expect(repository.release).toThrow(text)
    expect(existsSync(join(repository.root, 'dist'))).toBe(false)
    expect(existsSync(join(repository.root, 'artifacts'))).toBe(false)
  })

  it('comes after the last tag, and without a signature where nobody signs', options, () => {
    const { root, tag, build } = makeRepository()
    tag('v1.2.2')
    const folder = makeRelease(root, null, build)
    expect(readdirSync(folder).sort()).toEqual(
      [...RELEASED_FILES, CHECKSUMS, 'RELEASE_NOTES.md'].sort(),
    )
  })

  it('leaves no folder where the build fails', options, () => {
    const { root, release } = makeRepository()
    release()
    const fail = () => {
      throw new Error('other bytes')
    }
    expect(() => makeRelease(root, null, fail)).toThrow('other bytes')
    expect(existsSync(join(root, 'artifacts/release/1.2.3'))).toBe(false)
  })

  it('is refused where the build changes what is committed', options, () => {
    const { root, key, build, write } = makeRepository()
    const spoil: Build = (...args) => {
      build(...args)
      write('package.json', { version: '1.2.3', extra: true })
    }
    expect(() => makeRelease(root, key, spoil)).toThrow('not what is committed:\n M package.json')
  })
})

describe('readSection', () => {
  it('gives the text of the newest version', () => {
    expect(readSection(CHANGELOG, '1.2.3')).toBe('### Added\n\n- Signed releases.')
  })

  it.each([
    ['an older version', CHANGELOG, '1.2.2', 'expected [1.2.2]'],
    ['no day', CHANGELOG.replace(' - 2026-11-24', ''), '1.2.3', 'The newest version'],
    [
      'changes that have no version',
      CHANGELOG.replace('d]\n', 'd]\n\n- More.\n'),
      '1.2.3',
      'Unreleased',
    ],
    ['nothing to tell', '## [1.2.3] - 2026-11-24\n\n', '1.2.3', 'says nothing of 1.2.3'],
    ['no section at all', '# Changelog\n', '1.2.3', 'is none'],
  ])('refuses %s', (_, changelog, version, text) => {
    expect(() => readSection(changelog, version)).toThrow(text)
  })
})

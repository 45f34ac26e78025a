import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findPackages, readAllowedPackages } from '../bundled-packages.ts'
import { nameOf, readLockFile } from '../lock-file.ts'
import { bundle } from '../packages/bundle.ts'
import { describePackage, PACKAGE_NAMES } from '../packages/packages.ts'
import { joinLicences, TEXTS_ELSEWHERE, writeLicences } from './licences.ts'

const ROOT = join(import.meta.dirname, '../..')
/** What licences grant or ask for in their own words. */
const GRANTS =
  /Permission is hereby granted|Permission to use, copy, modify|Redistribution and use|Mozilla Public License Version 2\.0|Apache License\s+Version 2\.0|SIL OPEN FONT LICENSE/

const allowed = readAllowedPackages(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'))
/** What the build lets into the extension, wherever it is installed but in tools. */
const extension = Object.entries(readLockFile(ROOT).packages)
  .filter(
    ([path, { dev }]) => allowed.has(nameOf(path)) && (!dev || path.lastIndexOf('node_') === 0),
  )
  .map(([path]) => path)
const tarballs = PACKAGE_NAMES.map(name => ({
  name,
  packages: findPackages(bundle(ROOT, describePackage(ROOT, name)).inputs),
}))

describe('the licences', () => {
  it.each([{ name: 'the extension', packages: extension }, ...tarballs])(
    'of what is in $name are there, each with its text',
    ({ packages }) => {
      expect(packages.length).toBeGreaterThan(15)
      for (const folder of packages) {
        const text = writeLicences(ROOT, [folder])
        expect(text).toContain(`${nameOf(folder)} `)
        expect(text, folder).toMatch(GRANTS)
        // MPL-2.0 has its copyright lines in the files that it covers.
        if (!text.includes('(MPL-2.0)')) expect(text, folder).toMatch(/copyright.+\d{4}|Copyright/i)
        expect(writeLicences(ROOT, packages)).toContain(text.trim())
      }
    },
  )

  it('say of each package under MPL-2.0 where its source is', () => {
    const text = writeLicences(ROOT, tarballs[1]?.packages ?? [])
    const named = [...text.matchAll(/^(\S+) (\S+) \(MPL-2\.0\)$/gm)]
    expect(named.length).toBeGreaterThan(2)
    for (const [, name, version] of named) {
      expect(text).toContain(`the folder src of the package: npm pack ${name}@${version}\n`)
    }
  })

  it('are found elsewhere only for packages that bring none', () => {
    for (const name of Object.keys(TEXTS_ELSEWHERE)) {
      const files = readdirSync(join(ROOT, 'node_modules', name))
      expect(files.filter(file => /^(licen[cs]e|copying)/i.test(file))).toEqual([])
    }
  })

  it('have the copyright lines of a package whose source alone has them', () => {
    const head = readFileSync(join(ROOT, 'node_modules/@bitcoinerlab/secp256k1/index.js'), 'utf8')
    const lines = head
      .slice(0, head.indexOf(' * This package'))
      .split('\n')
      .map(line => line.replace(/^ \* ?/, '').trim())
      .filter(line => line !== '' && line !== '/*' && line !== '*')
    expect(lines.length).toBeGreaterThan(5)
    const text = writeLicences(ROOT, ['node_modules/@bitcoinerlab/secp256k1'])
    for (const line of lines) expect(text).toContain(line)
  })
})

describe('a package', () => {
  const make = (manifest: object, files: readonly string[] = []) => {
    const root = mkdtempSync(join(tmpdir(), 'licences-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    const folder = join(root, 'node_modules/a')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    for (const file of files) writeFileSync(join(folder, file), 'A text\n')
    return root
  }
  const a = { name: 'a', version: '1.0.0' }

  it('without a licence, its text or a source that is owed is refused by its name', () => {
    const write = (...args: Parameters<typeof make>) => writeLicences(make(...args), [PATH])
    expect(write({ ...a, license: 'MIT' }, ['LICENCE.md'])).toBe('a 1.0.0 (MIT)\n\nA text\n')
    expect(() => write(a, ['LICENSE'])).toThrow('a 1.0.0 has no licence in its package.json')
    expect(() => write({ ...a, license: 'MIT' }, ['README.md'])).toThrow(
      'a 1.0.0 has no text of its licence',
    )
    expect(() => write({ ...a, license: 'MPL-2.0' }, ['LICENSE'])).toThrow('has no folder src')
  })

  it('brings its licence into the expression for the whole', () => {
    const join = (license: string) => joinLicences(make({ ...a, license }), [PATH])
    expect(join('MIT')).toBe('MIT')
    expect(join('MPL-2.0')).toBe('MIT AND MPL-2.0')
    expect(join('(MIT OR Apache-2.0)')).toBe('MIT AND (MIT OR Apache-2.0)')
    expect(join('MIT OR Apache-2.0')).toBe('MIT AND (MIT OR Apache-2.0)')
    const [devnet, chainNode] = tarballs.map(({ packages }) => joinLicences(ROOT, packages))
    expect(devnet).toBe('MIT')
    expect(chainNode).toBe('MIT AND Apache-2.0 AND ISC AND MPL-2.0')
  })
})

const PATH = 'node_modules/a'

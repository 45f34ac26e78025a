import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assertAllowedPackages, findPackages, readAllowedPackages } from './bundled-packages.ts'
import { nameOf, readLockFile } from './lock-file.ts'

const ROOT = join(import.meta.dirname, '..')

describe('findPackages', () => {
  it('finds the package of a module, also of a nested one, wherever the folder is', () => {
    const ids = [
      '/home/a/satchel/src/popup/popup.tsx',
      '/home/a/satchel/node_modules/react/index.js?commonjs-es-import',
      '\0/home/a/satchel/node_modules/react/cjs/react.js',
      'C:\\b\\node_modules\\@noble\\hashes\\utils.js',
      '../node_modules/@fontsource-variable/figtree/files/a.woff2',
      '/home/a/satchel/node_modules/bip32/node_modules/@noble/hashes/esm/sha2.js',
      '\0bip39-wordlists',
      '\0vite/preload-helper.js',
      '\0rolldown/runtime.js',
    ]
    expect(findPackages(ids)).toEqual([
      'node_modules/@fontsource-variable/figtree',
      'node_modules/@noble/hashes',
      'node_modules/bip32/node_modules/@noble/hashes',
      'node_modules/react',
      'node_modules/rolldown',
      'node_modules/vite',
    ])
  })

  it('leaves nothing out that it does not know', () => {
    expect(findPackages(['\0some-polyfill'])).toEqual(['\0some-polyfill'])
  })
})

describe('the packages that are let into the extension', () => {
  const allowed = readAllowedPackages(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'))

  it('are those of the tables in CONTRIBUTING.md, which has all dependencies', () => {
    const direct = Object.keys(readLockFile(ROOT).packages['']?.dependencies ?? {})
    expect(direct.filter(name => !allowed.has(name))).toEqual([])
    expect(direct.length).toBe(16)
    const locked = new Set(Object.keys(readLockFile(ROOT).packages).map(nameOf))
    expect([...allowed].filter(name => !locked.has(name))).toEqual([])
  })

  it('refuses one that is not there, by its place, and a row that nothing needs', () => {
    const paths = [...allowed].map(name => `node_modules/${name}`)
    assertAllowedPackages(paths, allowed)
    expect(() =>
      assertAllowedPackages([...paths, 'node_modules/a/node_modules/evil'], allowed),
    ).toThrow('no reason for: node_modules/a/node_modules/evil')
    expect(() => assertAllowedPackages(paths, new Set([...allowed, 'left-pad']))).toThrow(
      'not in it: left-pad',
    )
  })
})

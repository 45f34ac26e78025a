import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readManifest } from '../manifest.ts'
import { listPackageFaults, type PackageFiles } from './chrome-package.ts'

const ROOT = join(import.meta.dirname, '../..')
const encode = (text: string) => new TextEncoder().encode(text)
const PAGE = encode('<script type="module" src="/popup.js"></script>')
const manifest = readManifest(ROOT, 'chrome')

/** A package with the manifest, icons and words of the wallet, and with code of one line. */
function makePackage(changes: { [key: string]: unknown } = {}): PackageFiles {
  const read = (path: string) => new Uint8Array(readFileSync(join(ROOT, 'public', path)))
  const icons = readdirSync(join(ROOT, 'public/icons')).map(name => `icons/${name}`)
  const words = readdirSync(join(ROOT, 'public/_locales')).map(
    tag => `_locales/${tag}/messages.json`,
  )
  return {
    ...Object.fromEntries([...icons, ...words].map(path => [path, read(path)])),
    'manifest.json': encode(
      JSON.stringify({ ...manifest, content_scripts: [{ js: ['content.js'] }], ...changes }),
    ),
    'THIRD-PARTY-LICENSES.txt': encode('MIT'),
    'content.js': encode('import("./part.js")'),
    'worker.js': encode('importScripts("worker-later.js")'),
    'src/popup/popup.html': PAGE,
    'src/decoder/decoder.html': PAGE,
  }
}

describe('a package for Chrome', () => {
  it('passes with the manifest, icons and words of the wallet', () => {
    expect(listPackageFaults(makePackage(), 2_000_000)).toEqual([])
  })

  it.each([
    [{ version: '1.02.3' }, 'version is 1.02.3, expected one to four numbers up to 65535'],
    [{ version: '1.2.65536' }, 'version is 1.2.65536'],
    [{ version: '0.0' }, 'version is 0.0'],
    [{ version: '1.2.3-rc.1' }, 'version is 1.2.3-rc.1'],
    [{ icons: { 16: 'icons/16.png' } }, 'There is no icon of 128 pixels'],
    [{ icons: { ...(manifest.icons as object), 128: 'icons/48.png' } }, 'icons/48.png is 48 × 48'],
    [{ name: 'Satchel' }, 'name in en has 0 characters, expected 1 to 45'],
    [{ action: { default_popup: 'gone.html#/a' } }, 'The manifest names gone.html'],
    [{ manifest_version: 2 }, 'manifest_version is not 3'],
    [{ update_url: 'https://example.org/' }, 'update_url is for packages outside of stores'],
    [
      { content_security_policy: { extension_pages: "script-src 'self' https://example.org;" } },
      'The policy lets other scripts run',
    ],
  ])('is refused with %j', (changes, fault) => {
    expect(listPackageFaults(makePackage(changes), 2_000_000).join('\n')).toContain(fault)
  })

  it.each([
    ['worker.js', 'importScripts("https://example.org/a.js")', 'has code from elsewhere'],
    ['worker.js', 'import("https://example.org/a.js")', 'has code from elsewhere'],
    ['worker.js', 'a()\n//# sourceMappingURL=a.map', 'has code from elsewhere'],
    ['src/popup/popup.html', '<script src="//example.org/a.js"></script>', 'code from elsewhere'],
    ['src/popup/popup.html', '<script>a()</script>', 'code from elsewhere'],
    ['src/popup/popup.html', '<p onclick="a()">', 'code from elsewhere'],
    ['assets/a.js.map', '{}', 'does not belong'],
    ['.vite/manifest.json', '{}', 'does not belong'],
    ['_metadata/a.json', '{}', 'does not belong'],
    ['key.pem', 'a', 'does not belong'],
    ['src/popup/popup.tsx', 'a', 'does not belong'],
  ])('is refused with %s of %s', (path, text, fault) => {
    const files = { ...makePackage(), [path]: encode(text) }
    expect(listPackageFaults(files, 2_000_000).join('\n')).toContain(fault)
  })

  it('is refused where it is larger than people should have to fetch, or has no manifest', () => {
    expect(listPackageFaults(makePackage(), 20_000_000)).toEqual([
      'The package has 20000000 bytes, at most 10000000',
    ])
    expect(listPackageFaults({}, 1)).toEqual(['manifest.json is not at the root of the package'])
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readManifest } from '../manifest.ts'
import { listGaps, readExplanations } from './permissions.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Of a field of Chrome's form. */
const MOST_CHARACTERS = 1000
const rows = readExplanations(readFileSync(join(import.meta.dirname, 'PERMISSIONS.md'), 'utf8'))
const chrome = readManifest(ROOT, 'chrome')

describe('the explanations of permissions', () => {
  it.each(['chrome', 'firefox'] as const)('are those of the manifest for %s', browser => {
    expect(listGaps(rows, readManifest(ROOT, browser), browser)).toEqual([])
  })

  it('fit into the form of the store, and name code that uses each', () => {
    expect(rows.length).toBeGreaterThan(10)
    for (const { name, browser, reason, path, use } of rows) {
      expect(['both', 'chrome', 'firefox'], name).toContain(browser)
      expect(reason.length, name).toBeGreaterThan(30)
      expect(reason.length, name).toBeLessThanOrEqual(MOST_CHARACTERS)
      expect(readFileSync(join(ROOT, path), 'utf8'), name).toContain(use)
    }
  })

  it.each([
    [{ permissions: [...(chrome.permissions as string[]), 'tabs'] }, 'permission tabs has no row'],
    [{ optional_permissions: [] }, 'optional permission notifications is not in the manifest'],
    [{ host_permissions: ['<all_urls>'] }, 'host permission <all_urls> has no row'],
    [
      { optional_host_permissions: ['https://*/*'] },
      'optional host permission http://*/* is not in the manifest',
    ],
  ])('lack one where a manifest has %j', (changes, gap) => {
    expect(listGaps(rows, { ...chrome, ...changes }, 'chrome')).toEqual([gap])
  })

  it('lack one for a content script of more pages', () => {
    const content_scripts = [{ matches: ['<all_urls>'], js: ['a.js'] }]
    expect(listGaps(rows, { ...chrome, content_scripts }, 'chrome')).toContain(
      'content script <all_urls> has no row',
    )
  })
})

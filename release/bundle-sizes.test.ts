import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { assertBundleSizes, measureBundle } from './bundle-sizes.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function writeBuild(files: { [path: string]: string }): string {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-sizes-'))
  folders.push(folder)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const manifest = (background: object) =>
  JSON.stringify({
    background,
    action: { default_popup: 'src/popup/popup.html' },
    content_scripts: [{ js: ['inpage.js'] }, { js: ['content.js'] }],
  })

const FILES = {
  'lockdown.js': 'lockdown()',
  'inpage.js': '12345',
  'content.js': '123',
  'worker.js': 'lockdown();background()',
  'worker-later.js': 'later()',
  'assets/domain.js': 'export{a}from"./deep.js"',
  'assets/deep.js': 'export const a=1',
  'assets/side.js': '0',
  'assets/first.js': 'import{a}from"./domain.js";import"./side.js";import("./later.js")',
  'assets/later.js': 'x'.repeat(1000),
  'assets/words-en-first-a1.js': 'short',
  'assets/words-de-first-b2.js': 'somewhat longer',
  'assets/words-de-rest-c3.js': 'y'.repeat(1000),
  'src/popup/popup.html':
    '<script type="module" src="/lockdown.js"></script><script type="module" crossorigin src="/assets/first.js"></script>',
}

describe('the sizes of a build', () => {
  it.each([
    ['chrome', { service_worker: 'worker.js' }, ';background()later()', ';background()'],
    ['firefox', { scripts: ['worker.js'] }, ';background()', ''],
  ])(
    'are those of what %s loads, each file once, and nothing that is fetched later',
    (_, background, all, atStart) => {
      const folder = writeBuild({ ...FILES, 'manifest.json': manifest(background) })
      const gzip = (path: keyof typeof FILES) => gzipSync(FILES[path], { level: 9 }).length
      expect(measureBundle(folder)).toEqual({
        page: 8,
        worker: all.length,
        workerStart: atStart.length,
        firstScreen:
          gzip('lockdown.js') +
          gzip('assets/first.js') +
          gzip('assets/domain.js') +
          gzip('assets/deep.js') +
          gzip('assets/side.js') +
          gzip('assets/words-en-first-a1.js'),
        firstWords: gzip('assets/words-de-first-b2.js'),
      })
    },
  )
  it('that are above what a build may have end it, with both numbers', () => {
    const most = { page: 10, worker: 20, workerStart: 15, firstScreen: 30, firstWords: 5 }
    assertBundleSizes(most, most)
    expect(() => assertBundleSizes({ ...most, worker: 21 }, most)).toThrow(
      'JavaScript of worker: 21 bytes, expected at most 20',
    )
  })
})

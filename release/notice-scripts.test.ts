import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { assertNoticeScripts } from './notice-scripts.ts'

const words = (messages: { [key: string]: string }) =>
  JSON.stringify(
    Object.fromEntries(Object.entries(messages).map(([key, message]) => [key, { message }])),
  )

const FILES = {
  'manifest.json': '{}',
  'src/popup/popup.tsx': '',
  'public/_locales/en/messages.json': words({
    noticePaid: 'Payment received',
    noticeNew: 'Just new',
  }),
  'public/_locales/zh_TW/messages.json': words({ noticePaid: '你在這個網路上剛剛收到了一筆付款' }),
  'dist/worker.js': 'start("Payment received")',
  'dist/worker-later.js': 'later()',
  'dist/notice-zh-TW.js':
    'addChunks(`\\u4f60\\u5728\\u9019\\u500b\\u7db2\\u8def\\u4e0a\\u525b\\u525b\\u6536\\u5230\\u4e86\\u4e00\\u7b46\\u4ed8\\u6b3e Just new`)',
}

function check(files: { [path: string]: string }): () => void {
  const root = mkdtempSync(join(tmpdir(), 'satchel-notices-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return () => assertNoticeScripts(root, [join(root, 'dist')], ['en', 'zh-TW'])
}

it('a build with the words of notifications in a script of each language passes', () => {
  expect(check(FILES)).not.toThrow()
})

it('a build without the script of a language fails with its name', () => {
  const { 'dist/notice-zh-TW.js': _, ...others } = FILES
  expect(check(others)).toThrow('There is no notice-zh-TW.js, expected one for each language')
})

it('a build whose script has not a text, also one that only English has yet, fails with its key', () => {
  const script = FILES['dist/notice-zh-TW.js']
  const without = (text: string) =>
    check({ ...FILES, 'dist/notice-zh-TW.js': script.replace(text, '') })
  expect(without('\\u4f60')).toThrow('notice-zh-TW.js has no noticePaid, expected "你在')
  expect(without('Just new')).toThrow('notice-zh-TW.js has no noticeNew, expected "Just new"')
})

it.each(['dist/worker.js', 'dist/worker-later.js'])('a build with such words in %s fails', path => {
  const mixed = { ...FILES, [path]: FILES['dist/notice-zh-TW.js'] }
  expect(check(mixed)).toThrow('have noticePaid of zh-TW, expected in notice-zh-TW.js alone')
})

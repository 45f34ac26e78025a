import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../src/browser/languages.ts'
import {
  fillWords,
  listFetched,
  listFirstModules,
  listSoonModules,
  pickManifestWords,
  pickWords,
  readWordNames,
} from './first-words.ts'

const ROOT = join(import.meta.dirname, '..')
const names = readWordNames(ROOT)
const firstModules = listFirstModules(ROOT).map(path => relative(ROOT, path))
const soonModules = listSoonModules(ROOT).map(path => relative(ROOT, path))

const isOfWords = (specifier: string) => /messages\.json\?words=|\/word-files\.ts$/.test(specifier)

describe.each(LANGUAGES)('the words of the first screen, in %s,', language => {
  const all = JSON.parse(
    readFileSync(join(ROOT, `public/_locales/${language.replace('-', '_')}/messages.json`), 'utf8'),
  )
  const first = pickWords(names, all, 'first')
  const soon = pickWords(names, all, 'soon')
  const rest = pickWords(names, all, 'rest')
  const notice = pickWords(names, all, 'notice')
  const help = pickWords(names, all, 'help')

  it('those of all others, of notifications and of the help are together what there is, none of them twice', () => {
    const manifest = readFileSync(join(ROOT, 'manifest.json'), 'utf8')
    const wanted = Object.keys(all).filter(key => !manifest.includes(`__MSG_${key}__`))
    const parts = [first, rest, notice, help].flatMap(part => Object.keys(part))
    expect(parts.sort()).toEqual(wanted.sort())
    expect(Object.keys(notice)).toContain('noticeReceivedMany_other')
    expect(Object.keys(help)).toContain('helpFeeRate')
    expect({ ...first, ...rest }.homeAccount).toEqual(all.homeAccount)
  })
  it('are those that it names, with singular and plural of what it counts, and few', () => {
    expect(Object.keys(first)).toEqual(
      expect.arrayContaining(['homeAccount', 'appNotReady', 'commonRequests_other']),
    )
    const ofCounted = Object.keys(all).filter(key => key.startsWith('commonRequests_'))
    expect(Object.keys(first)).toEqual(expect.arrayContaining(ofCounted))
    expect(rest).toHaveProperty('psbtAccountGets')
    expect(Object.keys(first).length).toBeLessThan(Object.keys(all).length / 4)
  })
  it('are followed by few that come soon, which the rest has too', () => {
    expect(Object.keys(soon)).toEqual(
      expect.arrayContaining(['welcomeKeys', 'createWallet', 'firstReceiveTitle']),
    )
    expect({ ...rest, ...soon }).toEqual(rest)
    expect(Object.keys(soon).length).toBeLessThan(Object.keys(all).length / 10)
  })
})

describe('a package', () => {
  const english = JSON.parse(readFileSync(join(ROOT, 'public/_locales/en/messages.json'), 'utf8'))
  it('has in `_locales` what browsers and stores read', () => {
    const keys = Object.keys(pickManifestWords(names, english))
    expect(keys).toEqual(['extensionDescription', 'extensionName'])
  })
  it('says in English what is not translated yet, and no form of what is counted twice', () => {
    const text = (message: string) => ({ message })
    const own = { a: text('アドレス'), n_other: text('{count} 件') }
    const both = { a: text('Address'), b: text('New'), n_one: text('1'), n_other: text('{count}') }
    expect(fillWords(both, own)).toEqual({ ...own, b: text('New') })
  })
})

describe('the modules of the first screen', () => {
  it('are those of the start, of unlocking and of the home screen, and no other screen', () => {
    expect(firstModules).toEqual(
      expect.arrayContaining([
        'src/popup/app.tsx',
        'src/popup/pages/home/home.tsx',
        'src/popup/pages/password/unlock.tsx',
      ]),
    )
    expect(firstModules.filter(path => /pages\/(send|settings)|approvals/.test(path))).toEqual([])
  })
  it('fetch others only as components that wait for words', () => {
    const fetched = firstModules.flatMap(path =>
      listFetched(readFileSync(join(ROOT, path), 'utf8')).filter(({ part }) => part === null),
    )
    expect(fetched.filter(({ specifier }) => !isOfWords(specifier))).toEqual([])
  })
})

describe('the modules of what comes soon', () => {
  it('are those of the first run and of what may stand on the home screen, and no other screen', () => {
    expect(soonModules).toEqual(
      expect.arrayContaining([
        'src/popup/pages/first-run/welcome.tsx',
        'src/popup/pages/first-run/confirm-words.tsx',
        'src/popup/pages/first-run/own-throws.tsx',
        'src/popup/pages/home/first-receive.tsx',
        'src/popup/help/help-dialog.tsx',
      ]),
    )
    expect(soonModules.filter(path => /pages\/(send|settings)|approvals/.test(path))).toEqual([])
  })
  it('are found by how their fetching is written, which is so in every module', () => {
    const sources = readdirSync(join(ROOT, 'src/popup'), { recursive: true, encoding: 'utf8' })
      .filter(path => /\.tsx?$/.test(path) && !path.includes('.test.'))
      .map(path => readFileSync(join(ROOT, 'src/popup', path), 'utf8'))
    const count = (pattern: RegExp) =>
      sources.reduce((sum, source) => sum + (source.match(pattern)?.length ?? 0), 0)
    const fetched = sources.flatMap(listFetched)
    // Once more it is part of a type.
    expect(count(/'soon'(?! \|)/g)).toBe(fetched.filter(({ part }) => part === 'soon').length)
    expect(count(/\bimport\(\s*[^)\s]/g)).toBe(fetched.length)
    expect(count(/\b(?:page|loadable)\(\s*async/g)).toBe(
      fetched.filter(({ part }) => part !== null).length,
    )
  })
  it('are those that wait for no others, however it is written', () => {
    expect(
      listFetched(
        "page(async () => (await import('./a.tsx')).A) loadable(\n  async () => (await import('./b.tsx')).B,\n  'soon',\n  <B />,\n) import(\n  './c.ts'\n).then(show)",
      ),
    ).toEqual([
      { specifier: './a.tsx', part: 'rest' },
      { specifier: './b.tsx', part: 'soon' },
      { specifier: './c.ts', part: null },
    ])
  })
})

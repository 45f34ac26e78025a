import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import german from '../../../public/_locales/de/messages.json'
import english from '../../../public/_locales/en/messages.json'
import french from '../../../public/_locales/fr/messages.json'
import {
  countWords,
  currentLanguage,
  loadMoreWords,
  loadWords,
  richWords,
  takeMessages,
  words,
} from './words.ts'

const POPUP = join(import.meta.dirname, '..')
const NOTIFICATIONS = join(POPUP, '../background/notifications')

/** Sources of a folder by path, tests aside. */
const readSources = (folder: string) =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(path => /\.tsx?$/.test(path) && !path.includes('.test.'))
      .map(path => [path, readFileSync(join(folder, path), 'utf8')]),
  )

const SOURCES = readSources(POPUP)

describe('the words of the screens', () => {
  it('have both a singular and a plural where they count', () => {
    const keys = Object.keys(english)
    const stems = (ending: string) =>
      keys.filter(key => key.endsWith(ending)).map(key => key.slice(0, -ending.length))
    expect(stems('_one')).toEqual(stems('_other'))
  })
  it('are all used, by a screen, a notification or the manifest', () => {
    const manifest = readFileSync(join(POPUP, '../../manifest.json'), 'utf8')
    const sources = [...SOURCES.values(), ...readSources(NOTIFICATIONS).values()]
    const named = new Set(
      [...sources.join('\n').matchAll(/['"](\w+)['"]/g)].map(([, name]) => name),
    )
    const unused = Object.keys(english).filter(
      key => !named.has(key.replace(/_(one|other)$/, '')) && !manifest.includes(`__MSG_${key}__`),
    )
    expect(unused).toEqual([])
  })
  it('are nowhere written into a screen itself', () => {
    const literal =
      /(?:<\/?[A-Za-z][^<>={}]*>|\})\s*([A-Z][a-z]+ [a-z][^<>{}()=;]*)<|(?:aria-label|title|alt|label)="([^"]*[a-z]{2}[^"]*)"/g
    const found = [...SOURCES].flatMap(([path, source]) =>
      path.endsWith('.tsx')
        ? [...source.matchAll(literal)].map(([text]) => `${path}: ${text}`)
        : [],
    )
    expect(found).toEqual([])
  })
  it('are filled in, and count', () => {
    expect(words('homeAccount', { name: 'Savings' })).toBe('Account: Savings')
    expect(countWords('commonRequests', 1)).toBe('1 request is waiting')
    expect(countWords('commonRequests', 1200)).toBe('1,200 requests are waiting')
  })
})

describe('words in a language', () => {
  afterEach(() => takeMessages('en', english))

  it('that counts in other ways take the form of the number, and else the plural', () => {
    const form = (message: string) => ({ message })
    takeMessages('ru', {
      commonRequests_one: form('{count} запрос'),
      ...{ commonRequests_few: form('{count} запроса') },
      commonRequests_other: form('{count} запросов'),
    })
    const counted = [1, 2, 5, 21].map(count => countWords('commonRequests', count))
    expect(counted).toEqual(['1 запрос', '2 запроса', '5 запросов', '21 запрос'])
  })
  it('that runs to the left keep what is filled in in its own order, with digits as in addresses', () => {
    takeMessages('ar', {
      homeAccount: { message: 'الحساب: {name}' },
      commonRequests_other: { message: '{count} طلب' },
      reviewRecent: { message: 'نحو {rate} sat/vB' },
      psbtPlace: { message: '#{index}' },
    })
    // Else the unit would stand before its number.
    expect(words('reviewRecent', { rate: '2.5' })).toBe('نحو \u20682.5 sat/vB\u2069')
    expect(words('psbtPlace', { index: 1 })).toBe('\u2068#1\u2069')
    expect(words('homeAccount', { name: 'bc1p' })).toBe('الحساب: \u2068bc1p\u2069')
    expect(renderToStaticMarkup(richWords('homeAccount', { name: 'bc1p' }))).toBe(
      'الحساب: <bdi>bc1p</bdi>',
    )
    expect(countWords('commonRequests', 1200)).toBe('\u20681,200\u2069 طلب')
    expect((1200).toLocaleString(currentLanguage())).toBe('1,200')
  })
  it('other than English are loaded from files of their own, and the page says which they are', async () => {
    const documentElement = { lang: '', dir: '' }
    vi.stubGlobal('document', { documentElement })
    await loadWords('de')
    expect(words('homeAccount', { name: 'Erspartes' })).toBe('Konto: Erspartes')
    expect(documentElement).toEqual({ lang: 'de', dir: 'ltr' })
    vi.unstubAllGlobals()
  })
  it('come in the parts that are asked for, also when another is chosen before they are there', async () => {
    vi.stubGlobal('document', { documentElement: {} })
    await loadWords('de')
    expect(() => words('welcomeImport')).toThrow('not loaded')
    await loadMoreWords('soon')
    expect(words('welcomeImport')).toBe(german.welcomeImport.message)
    expect(() => words('psbtAccountGets')).toThrow('not loaded')
    await loadWords('fr')
    expect(words('welcomeImport')).toBe(french.welcomeImport.message)
    await Promise.all([loadMoreWords('rest'), loadWords('de')])
    expect(words('welcomeImport')).toBe(german.welcomeImport.message)
    expect(words('psbtAccountGets')).toBe(german.psbtAccountGets.message)
    vi.unstubAllGlobals()
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import german from '../../../public/_locales/de/messages.json'
import english from '../../../public/_locales/en/messages.json'
import { countWords, words } from './words.ts'

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
  it('are there in both languages, none of them empty', () => {
    expect(Object.keys(german)).toEqual(Object.keys(english))
    for (const { message } of [...Object.values(english), ...Object.values(german)]) {
      expect(message.trim()).not.toBe('')
    }
  })
  it('have the same names to fill in in both languages', () => {
    const namesOf = (message: string) => [...message.matchAll(/\{(\w+)\}/g)].map(([name]) => name)
    const translated = new Map(Object.entries(german))
    for (const [key, { message }] of Object.entries(english)) {
      const other = translated.get(key)?.message ?? ''
      expect(new Set(namesOf(other)), key).toEqual(new Set(namesOf(message)))
    }
  })
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

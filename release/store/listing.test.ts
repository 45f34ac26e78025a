import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MAX_ITEMS } from '../../src/provider/inscribe-params.ts'
import { checkWords } from '../words/check-words.ts'
import { readGlossary } from '../words/glossary.ts'
import claims from './claims.json'
import {
  formatDescription,
  type Listing,
  MOST_CHARACTERS,
  readListing,
  readTitle,
  STORE_LANGUAGES,
} from './listing.ts'

const ROOT = join(import.meta.dirname, '../..')
const english = readListing(ROOT, 'en')
/** Each text with a key, as the words of the wallet are checked. */
const flatten = (listing: Listing) =>
  Object.fromEntries(
    Object.entries(listing).flatMap(([key, value]) =>
      typeof value === 'string'
        ? [[key, { message: value }]]
        : Object.entries(value).map(([part, text]) => [`${key}.${part}`, { message: text }]),
    ),
  )

describe('what the stores say of the wallet', () => {
  it('is there in each language that the package has words in, and in no other', () => {
    const tags = readdirSync(join(ROOT, 'public/_locales')).map(tag => tag.replace('_', '-'))
    const listed = readdirSync(join(import.meta.dirname, 'listings'))
    expect([...STORE_LANGUAGES].sort()).toEqual(tags.sort())
    expect(listed.sort()).toEqual(STORE_LANGUAGES.map(tag => `${tag}.json`).sort())
  })

  it.each(STORE_LANGUAGES)('is as short as the stores want it in %s', tag => {
    const { name, summary } = readTitle(ROOT, tag)
    const description = formatDescription(readListing(ROOT, tag), tag)
    for (const [part, text] of Object.entries({ name, summary, description })) {
      const most = MOST_CHARACTERS[part as keyof typeof MOST_CHARACTERS]
      expect(text.length, `${part}: ${text}`).toBeLessThanOrEqual(most)
      expect(text.length, part).toBeGreaterThan(0)
      expect(text).not.toMatch(/[{}<>]|__MSG/)
    }
  })

  it.each(STORE_LANGUAGES.filter(tag => tag !== 'en'))(
    'says the same in %s, in the wallet’s own words',
    tag => {
      const options = { language: tag, glossary: readGlossary(tag) }
      const findings = checkWords(flatten(english), flatten(readListing(ROOT, tag)), options)
      expect(findings.map(({ key, problem }) => `${key} ${problem}`)).toEqual([])
    },
  )

  it('claims what a test shows, and nothing else', () => {
    expect(Object.keys(english.features)).toEqual(Object.keys(claims))
    for (const [claim, tests] of Object.entries(claims)) {
      expect(tests.length, claim).toBeGreaterThan(1)
      for (const [path = '', name = ''] of tests) {
        const texts = readFileSync(join(ROOT, path), 'utf8').match(/'[^'\n]+'|`[^`\n]+`/g)
        const titles = texts?.filter(text => text.includes(name)) ?? []
        expect(titles, `${claim}: ${name} of ${path}`).toHaveLength(1)
      }
    }
    for (const tag of STORE_LANGUAGES) {
      const { inscriptions } = readListing(ROOT, tag).features
      expect(inscriptions, tag).toContain(String(MAX_ITEMS))
    }
  })

  it('names the languages that a person can choose, in the words of each', () => {
    const last = (tag: string) => formatDescription(readListing(ROOT, tag), tag).split('\n\n')[2]
    expect(last('en')).toMatch(/^Languages of the screens: English.* German/)
    expect(last('de')).toMatch(/^Sprachen der Oberfläche: .*Deutsch/)
    expect(last('ja')).toMatch(/^画面の言語：英語.*ドイツ語/)
  })
})

import { describe, expect, it } from 'vitest'
import german from '../../public/_locales/de/messages.json'
import english from '../../public/_locales/en/messages.json'
import { countWords, preferredLanguage, words } from './words.ts'

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
  it('are filled in, and count', () => {
    expect(words('homeAccount', { name: 'Savings' })).toBe('Account: Savings')
    expect(countWords('commonRequests', 1)).toBe('1 request is waiting')
    expect(countWords('commonRequests', 1200)).toBe('1,200 requests are waiting')
  })
})

describe('the language that is chosen by itself', () => {
  it('is the first that the person reads and there are words for, else English', () => {
    expect(preferredLanguage(['de-AT', 'en'])).toBe('de')
    expect(preferredLanguage(['fr', 'de'])).toBe('de')
    expect(preferredLanguage(['fr', 'en-GB', 'de'])).toBe('en')
    expect(preferredLanguage(['fr'])).toBe('en')
    expect(preferredLanguage([])).toBe('en')
  })
})

import { describe, expect, it } from 'vitest'
import { preferredLanguage } from './preferred-language.ts'

describe('the language that is chosen by itself', () => {
  it('is the first that the person reads and there are words for, else English', () => {
    expect(preferredLanguage(['de-AT', 'en'])).toBe('de')
    expect(preferredLanguage(['fr', 'de'])).toBe('de')
    expect(preferredLanguage(['fr', 'en-GB', 'de'])).toBe('en')
    expect(preferredLanguage(['fr'])).toBe('en')
    expect(preferredLanguage([])).toBe('en')
  })
})

import { describe, expect, it } from 'vitest'
import { preferredLanguage } from './preferred-language.ts'

describe('the language that is chosen by itself', () => {
  it('is the first that the person reads and there are words for, else English', () => {
    const both = ['en', 'de'] as const
    expect(preferredLanguage(['de-AT', 'en'], both)).toBe('de')
    expect(preferredLanguage(['fr', 'de'], both)).toBe('de')
    expect(preferredLanguage(['fr', 'en-GB', 'de'], both)).toBe('en')
    expect(preferredLanguage(['fr'], both)).toBe('en')
    expect(preferredLanguage([])).toBe('en')
  })
  it.each([
    ['zh', 'zh-CN'],
    ['zh-SG', 'zh-CN'],
    ['zh-Hans-HK', 'zh-CN'],
    ['zh-TW', 'zh-TW'],
    ['zh-HK', 'zh-TW'],
    ['zh-Hant', 'zh-TW'],
    ['pt-PT', 'pt-BR'],
    ['es-419', 'es'],
    ['fil', 'en'],
  ] as const)('is for %s the words of %s', (tag, language) => {
    const available = ['en', 'es', 'fr', 'pt-BR', 'zh-CN', 'zh-TW'] as const
    expect(preferredLanguage([tag], available)).toBe(language)
  })
})

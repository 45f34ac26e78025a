import { LANGUAGES, type Language } from './languages.ts'

/** The first of the person's languages that there are words for; else English. */
export function preferredLanguage(
  preferred: readonly string[],
  available: readonly Language[] = LANGUAGES,
): Language {
  for (const tag of preferred) {
    const found = available.find(language => isMeant(language, tag.toLowerCase()))
    if (found) return found
  }
  return 'en'
}

/** Whatever its country; but Chinese of Taiwan, Hong Kong and Macau has traditional characters, unless the tag says otherwise. */
function isMeant(language: Language, tag: string): boolean {
  const [spoken, ...parts] = tag.split('-')
  if (spoken !== language.split('-')[0]) return false
  if (spoken !== 'zh') return true
  const isTraditional = parts.includes('hant') || /-(tw|hk|mo)$/.test(tag)
  return (isTraditional && !parts.includes('hans')) === (language === 'zh-TW')
}

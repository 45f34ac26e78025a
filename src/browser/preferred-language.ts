/** A language that there are words for. */
export type Language = 'en' | 'de'

/** The first of the person's languages that there are words for; else English. */
export function preferredLanguage(preferred: readonly string[]): Language {
  const known = preferred.map(tag => tag.slice(0, 2).toLowerCase())
  return known.find(tag => tag === 'en' || tag === 'de') === 'de' ? 'de' : 'en'
}

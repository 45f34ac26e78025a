import type { Language } from './languages.ts'

/** The languages whose texts run from right to left. */
const RIGHT_TO_LEFT: readonly Language[] = ['ar']

export function isRightToLeft(language: Language): boolean {
  return RIGHT_TO_LEFT.includes(language)
}

/** For numbers and dates. Digits are 0 to 9 in every language, as they are in addresses and in what is typed. */
export function localeOf(language: Language): string {
  return language === 'ar' ? 'ar-u-nu-latn' : language
}

/** A file of `public/_locales` by its language. */
export function pickFile<File>(
  files: { [path: string]: File },
  language: Language,
): File | undefined {
  const end = `/${language.replace('-', '_')}/messages.json`
  return Object.entries(files).find(([path]) => path.endsWith(end))?.[1]
}

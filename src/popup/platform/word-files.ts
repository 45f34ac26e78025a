import type { Language } from '../../browser/languages.ts'
import { pickFile } from '../../browser/locale.ts'

/** Fetches words of a language by their keys. */
export type LoadWords = () => Promise<Words>

type Words = { default: { [key: string]: { message: string } } }

// Apart from `words.ts`: what is loaded first knows of English alone, and of no file of another language.

const FIRST = import.meta.glob<Words>(
  ['../../../public/_locales/*/messages.json', '!../../../public/_locales/en/messages.json'],
  { query: '?words=first' },
)

const REST = import.meta.glob<Words>(
  ['../../../public/_locales/*/messages.json', '!../../../public/_locales/en/messages.json'],
  { query: '?words=rest' },
)

/** Both parts of the words of a language other than English. */
export function wordFilesOf(language: Language): { first: LoadWords; rest: LoadWords } {
  const [first, rest] = [pickFile(FIRST, language), pickFile(REST, language)]
  if (!first || !rest) throw new Error(`There are no words in ${language}`)
  return { first, rest }
}

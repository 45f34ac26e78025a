import type { Language } from '../../browser/languages.ts'
import { pickFile } from '../../browser/locale.ts'

/**
 * What is fetched beside the words that the first screen's own modules name: `rest` is all others, `soon` those of them that
 * stand on the first screens a person sees, for what asks for no more.
 */
export type FetchedWords = 'soon' | 'rest'

/** Fetches the parts of a language's words, each by their keys. */
export type WordFiles = { [part in 'first' | FetchedWords]: () => Promise<Words> }

type Words = { default: { [key: string]: { message: string } } }

// Apart from `words.ts`: what is loaded first knows of English alone, and of no file of another language.

const FIRST = import.meta.glob<Words>(
  ['../../../public/_locales/*/messages.json', '!../../../public/_locales/en/messages.json'],
  { query: '?words=first' },
)

const SOON = import.meta.glob<Words>(
  ['../../../public/_locales/*/messages.json', '!../../../public/_locales/en/messages.json'],
  { query: '?words=soon' },
)

const REST = import.meta.glob<Words>(
  ['../../../public/_locales/*/messages.json', '!../../../public/_locales/en/messages.json'],
  { query: '?words=rest' },
)

/** The words of a language other than English. */
export function wordFilesOf(language: Language): WordFiles {
  const [first, soon, rest] = [FIRST, SOON, REST].map(files => pickFile(files, language))
  if (!first || !soon || !rest) throw new Error(`There are no words in ${language}`)
  return { first, soon, rest }
}

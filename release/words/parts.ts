import { type Messages, PLURAL } from '../first-words.ts'
import { englishOf, formsOf, listKeys } from './check-words.ts'
import type { Glossary } from './glossary.ts'

/** A text to translate, with what a translator has to know of it. */
export type Task = {
  key: string
  english: string
  /** What another translation made of it: its meaning where English has two. */
  german: string
  /** The screens that it is on, as the files that name it. */
  where: string[]
  /** Which numbers this form is for, where the text counts. */
  numbers?: string
  /** The glossary's words for terms in it. */
  terms?: { [term: string]: string }
}

const MOST_PLACES = 3

/** The texts that a language has not yet, in parts of at most so many; the forms of one text stay together. */
export function splitTasks(
  english: Messages,
  messages: Messages,
  options: {
    language: string
    german: Messages
    glossary: Glossary
    /** Sources by path. */
    sources: ReadonlyMap<string, string>
    most: number
  },
): Task[][] {
  const { language, german, glossary, most } = options
  const places = findPlaces(options.sources)
  const tasks = listKeys(english, language)
    .filter(key => !(key in messages))
    .map(key => {
      const text = englishOf(english, key)
      const terms = glossary.filter(({ term }) => term?.test(text))
      const numbers = describeForm(key, language)
      return {
        key,
        english: text,
        german: englishOf(german, key),
        where: (places.get(key.replace(PLURAL, '')) ?? []).slice(0, MOST_PLACES),
        ...(numbers !== null && { numbers }),
        ...(terms.length > 0 && {
          terms: Object.fromEntries(terms.map(({ name, word }) => [name, word])),
        }),
      }
    })
  const parts: Task[][] = []
  for (const task of tasks) {
    const last = parts.at(-1)
    const isForm = last?.at(-1)?.key.replace(PLURAL, '') === task.key.replace(PLURAL, '')
    if (last && (last.length < most || isForm)) last.push(task)
    else parts.push([task])
  }
  return parts
}

/** Adds translated texts to those of a language, in the order of English; throws where a part has what nobody asked for. */
export function mergeParts(
  english: Messages,
  messages: Messages,
  { language, parts }: { language: string; parts: ReadonlyMap<string, unknown> },
): Messages {
  const keys = listKeys(english, language)
  const known = new Set(keys)
  const merged = { ...messages }
  for (const [name, part] of parts) {
    if (typeof part !== 'object' || part === null || Array.isArray(part))
      throw new Error(`${name}: expected an object of texts by their keys`)
    for (const [key, message] of Object.entries(part)) {
      if (!known.has(key)) throw new Error(`${name}: ${key} is no key of a text in ${language}`)
      if (typeof message !== 'string')
        throw new Error(`${name}: ${key} is ${JSON.stringify(message)}, expected a text`)
      merged[key] = { message }
    }
  }
  return Object.fromEntries(
    keys.flatMap(key => {
      const translated = merged[key]
      return translated ? [[key, translated]] : []
    }),
  )
}

function describeForm(key: string, language: string): string | null {
  const [, form = ''] = PLURAL.exec(key) ?? []
  const numbers = formsOf(language).get(form)
  if (form === '' || !numbers) return null
  const [first, second] = numbers
  if (first === undefined) return 'fractions'
  return second === undefined ? `${first} alone` : `${first}, ${second} and so on`
}

/** The files that name each message. */
function findPlaces(sources: ReadonlyMap<string, string>): Map<string, string[]> {
  const places = new Map<string, string[]>()
  for (const [path, source] of sources) {
    for (const [, name = ''] of source.matchAll(/['"](\w+)['"]/g)) {
      const known = places.get(name) ?? []
      if (!known.includes(path)) places.set(name, [...known, path])
    }
  }
  return places
}

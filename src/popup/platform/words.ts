import { createElement, Fragment, type ReactNode } from 'react'
import type english from '../../../public/_locales/en/messages.json'
import type { Settings } from '../../background/views/settings-views.ts'
import type { Language } from '../../browser/languages.ts'
import { isRightToLeft, localeOf } from '../../browser/locale.ts'
import { preferredLanguage } from '../../browser/preferred-language.ts'
import type { FetchedWords, WordFiles } from './word-files.ts'

/** Name of a message in `public/_locales`. */
export type WordKey = keyof typeof english

/** Names of messages that come in a singular and a plural, without their ending. */
export type PluralKey = WordKey extends infer K
  ? K extends `${infer Stem}_one`
    ? Stem
    : never
  : never

type Messages = { [key in WordKey]: { message: string } }

/** The build cuts the files (`release/first-words.ts`). */
const ENGLISH: WordFiles = {
  first: () => import('../../../public/_locales/en/messages.json?words=first'),
  soon: () => import('../../../public/_locales/en/messages.json?words=soon'),
  rest: () => import('../../../public/_locales/en/messages.json?words=rest'),
}

let language: Language = 'en'
let messages: Partial<Messages> = {}
let wanted: Language = language
const wantedParts = new Set<keyof WordFiles>(['first'])

/** Takes the words of a language into use; `auto` is the browser's. To be awaited before the first screen is drawn. */
export async function loadWords(chosen: Settings['language']): Promise<void> {
  wanted = chosen === 'auto' ? preferredLanguage(navigator.languages) : chosen
  await loadWanted()
  document.documentElement.lang = language
  document.documentElement.dir = isRightToLeft(language) ? 'rtl' : 'ltr'
}

/** Loads what the first screen has no word for. To be awaited before anything that is fetched is drawn. */
export async function loadMoreWords(part: FetchedWords): Promise<void> {
  if (!wantedParts.has('rest')) wantedParts.add(part)
  await loadWanted()
}

async function loadWanted(): Promise<void> {
  const [next, count] = [wanted, wantedParts.size]
  const files = next === 'en' ? ENGLISH : (await import('./word-files.ts')).wordFilesOf(next)
  const parts = await Promise.all([...wantedParts].map(part => files[part]()))
  // Another language, or another part, may be wanted by now.
  if (next !== wanted || count !== wantedParts.size) return loadWanted()
  takeMessages(next, Object.assign({}, ...parts.map(part => part.default)))
}

/** Takes words into use that are there already. */
export function takeMessages(next: Language, loaded: Partial<Messages>): void {
  language = next
  messages = loaded
}

/** The language in use, as a locale for dates and numbers. */
export function currentLanguage(): string {
  return localeOf(language)
}

/** Keeps a text's own order inside of one that runs to the left: without it "0.01 BTC" would be read as "BTC 0.01". */
export function isolate(text: string): string {
  return isRightToLeft(language) ? `\u2068${text}\u2069` : text
}

/** A message with its `{names}` filled in; a unit in Latin letters stays behind its number, and # before it. */
export function words(key: WordKey, values: { [name: string]: string | number } = {}): string {
  return textOf(key).replace(/(#?)\{(\w+)\}( [\w/%]+)?/g, (whole, sign, name, unit = '') => {
    const value = values[name]
    return value === undefined ? whole : isolate(`${sign}${value}${unit}`)
  })
}

/** The form of a message for a number, such as the singular; `{count}` is the number in the language's spelling. */
export function countWords(
  stem: PluralKey,
  count: number,
  values: { [name: string]: string | number } = {},
): string {
  const locale = currentLanguage()
  const form: string = `${stem}_${new Intl.PluralRules(locale).select(count)}`
  const key = Object.hasOwn(messages, form) ? form : `${stem}_other`
  return words(key as WordKey, { count: count.toLocaleString(locale), ...values })
}

/** A message whose `{names}` are elements. */
export function richWords(key: WordKey, values: { [name: string]: ReactNode }): ReactNode {
  const parts = textOf(key).split(/\{(\w+)\}/)
  return parts.map((part, at) =>
    at % 2 === 1
      ? createElement(
          isRightToLeft(language) ? 'bdi' : Fragment,
          { key: at },
          values[part] ?? `{${part}}`,
        )
      : createElement(Fragment, { key: at }, part),
  )
}

function textOf(key: WordKey): string {
  const text = messages[key]?.message
  if (text === undefined) throw new Error(`The words of ${key} are not loaded`)
  return text
}

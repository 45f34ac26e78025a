import { createElement, Fragment, type ReactNode } from 'react'
import english from '../../../public/_locales/en/messages.json'
import type { Settings } from '../../background/views/settings-views.ts'

/** Name of a message in `public/_locales`. */
export type WordKey = keyof typeof english

/** Names of messages that come in a singular and a plural, without their ending. */
export type PluralKey = WordKey extends infer K
  ? K extends `${infer Stem}_one`
    ? Stem
    : never
  : never

export type Language = 'en' | 'de'

type Messages = { [key in WordKey]: { message: string } }

let language: Language = 'en'
let messages: Messages = english

/** Takes the words of a language into use; `auto` is the browser's. To be awaited before the first screen is drawn. */
export async function loadWords(chosen: Settings['language']): Promise<void> {
  language = chosen === 'auto' ? preferredLanguage(navigator.languages) : chosen
  messages =
    language === 'en'
      ? english
      : (await import('../../../public/_locales/de/messages.json')).default
  document.documentElement.lang = language
}

/** The language in use, for dates and numbers. */
export function currentLanguage(): Language {
  return language
}

/** A message with its `{names}` filled in. */
export function words(key: WordKey, values: { [name: string]: string | number } = {}): string {
  return messages[key].message.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))
}

/** The singular or plural of a message; `{count}` is the number in the language's spelling. */
export function countWords(
  stem: PluralKey,
  count: number,
  values: { [name: string]: string | number } = {},
): string {
  const form = new Intl.PluralRules(language).select(count) === 'one' ? 'one' : 'other'
  return words(`${stem}_${form}`, { count: count.toLocaleString(language), ...values })
}

/** A message whose `{names}` are elements. */
export function richWords(key: WordKey, values: { [name: string]: ReactNode }): ReactNode {
  const parts = messages[key].message.split(/\{(\w+)\}/)
  return parts.map((part, at) =>
    createElement(Fragment, { key: at }, at % 2 === 1 ? (values[part] ?? `{${part}}`) : part),
  )
}

/** The first of the person's languages that there are words for; else English. */
export function preferredLanguage(preferred: readonly string[]): Language {
  const known = preferred.map(tag => tag.slice(0, 2).toLowerCase())
  return known.find(tag => tag === 'en' || tag === 'de') === 'de' ? 'de' : 'en'
}

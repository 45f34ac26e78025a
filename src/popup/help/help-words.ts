import { useEffect, useState } from 'react'
import type english from '../../../public/_locales/en/messages.json'
import { LANGUAGES } from '../../browser/languages.ts'
import { localeOf, pickFile } from '../../browser/locale.ts'
import { currentLanguage, isolate, type WordKey } from '../platform/words.ts'

/** Names of the texts that explain words, which no screen loads but those that explain. */
export type HelpKey = Extract<WordKey, `help${Capitalize<string>}`>

type Messages = { [key in keyof typeof english]: { message: string } }

const FILES = import.meta.glob<Partial<Messages>>('../../../public/_locales/*/messages.json', {
  query: '?words=help',
  import: 'default',
})

/** A number with its unit keeps its order in a text that runs to the left. */
const NUMBER = /\d(?:[\d.,\u00a0\u202f]*\d)?(?:[ \u00a0](?:sat\/vB|vB|BTC))?/g

/** The text with each of its numbers isolated, where the language runs to the left. */
export function isolateNumbers(text: string): string {
  return text.replace(NUMBER, isolate)
}

let held: { locale: string; messages: Partial<Messages> } | null = null

/** The texts in the language in use; null until they are there. What the fetch throws is thrown when it is drawn. */
export function useHelpWords(): ((key: HelpKey) => string) | null {
  const locale = currentLanguage()
  const [loaded, setLoaded] = useState(held)
  useEffect(() => {
    let isShown = true
    loadHelpWords(locale).then(
      next => isShown && setLoaded(next),
      error =>
        isShown &&
        setLoaded(() => {
          throw error
        }),
    )
    return () => {
      isShown = false
    }
  }, [locale])
  if (loaded?.locale !== locale) return null
  return key => {
    const text = loaded.messages[key]?.message
    if (text === undefined) throw new Error(`The help has no words for ${key} in ${locale}`)
    return isolateNumbers(text)
  }
}

async function loadHelpWords(locale: string) {
  if (held?.locale === locale) return held
  const language = LANGUAGES.find(one => localeOf(one) === locale)
  const messages = language && (await pickFile(FILES, language)?.())
  if (!messages) throw new Error(`There are no words of the help in ${locale}`)
  held = { locale, messages }
  return held
}

import german from '../../../public/_locales/de/messages.json?words=notice'
import english from '../../../public/_locales/en/messages.json?words=notice'
import { type Language, preferredLanguage } from '../../browser/preferred-language.ts'
import type { Settings } from '../views/settings-views.ts'

type Messages = { [key: string]: { message: string } }

const MESSAGES: { [language in Language]: Messages } = { en: english, de: german }

/** The words of notifications in the language of the screens. */
export function noticeWords(chosen: Settings['language'], preferred: readonly string[]) {
  const language = chosen === 'auto' ? preferredLanguage(preferred) : chosen
  const textOf = (key: string) => {
    const text = MESSAGES[language][key]?.message
    if (text === undefined) throw new Error(`No words for ${key}`)
    return text
  }
  return {
    say: textOf,
    /** The plural of a message with its number. */
    count: (stem: string, count: number) =>
      textOf(`${stem}_${new Intl.PluralRules(language).select(count) === 'one' ? 'one' : 'other'}`) //
        .replace('{count}', count.toLocaleString(language)),
  }
}

export type NoticeWords = ReturnType<typeof noticeWords>

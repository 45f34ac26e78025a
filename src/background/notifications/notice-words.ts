import type { Language } from '../../browser/languages.ts'
import { localeOf, pickFile } from '../../browser/locale.ts'
import { preferredLanguage } from '../../browser/preferred-language.ts'
import { log } from '../primitives/log.ts'
import type { Settings } from '../views/settings-views.ts'

type Messages = { [key: string]: { message: string } }
type MessageFiles = { [path: string]: () => Promise<Messages> }

/** In a build each but English is a script of its own, which is read when it is asked for (`release/worker-scripts.ts`). */
const FILES: MessageFiles = import.meta.glob<Messages>('../../../public/_locales/*/messages.json', {
  query: '?words=notice',
  import: 'default',
})

/** The words of notifications in the language of the screens, or in English where they cannot be read. */
export async function loadNoticeWords(
  chosen: Settings['language'],
  preferred: readonly string[],
  files: MessageFiles = FILES,
) {
  const english = await readMessages(files, 'en')
  const language: Language = chosen === 'auto' ? preferredLanguage(preferred) : chosen
  try {
    return makeWords(language, await readMessages(files, language), english)
  } catch (error) {
    log(`The words of notifications in ${language} could not be read:`, error)
    return makeWords('en', english, english)
  }
}

async function readMessages(files: MessageFiles, language: Language): Promise<Messages> {
  const messages = await pickFile(files, language)?.()
  if (typeof messages !== 'object') throw new Error(`There are no words of notifications`)
  return messages
}

function makeWords(language: Language, messages: Messages, english: Messages) {
  const locale = localeOf(language)
  const textOf = (key: string) => {
    const text = messages[key]?.message ?? english[key]?.message
    if (text === undefined) throw new Error(`No words for ${key} in ${language}`)
    return text
  }
  return {
    say: textOf,
    /** The form of a message for a number, with the number. */
    count: (stem: string, count: number) => {
      const form = `${stem}_${new Intl.PluralRules(locale).select(count)}`
      const key = Object.hasOwn(messages, form) ? form : `${stem}_other`
      return textOf(key).replace('{count}', count.toLocaleString(locale))
    },
  }
}

export type NoticeWords = ReturnType<typeof makeWords>

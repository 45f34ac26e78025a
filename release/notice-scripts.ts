import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES, type Language } from '../src/browser/languages.ts'
import { fillWords, type Messages, pickWords, readWordNames } from './first-words.ts'
import { LATER_SCRIPT, WORKER_SCRIPT } from './manifest.ts'
import { nameNoticeChunk } from './worker-scripts.ts'

/**
 * Throws, with the name of the file and a text, where a build has not the words of notifications in a language in that language's
 * own script, or has them in the worker's scripts, which every start of the background would pay for.
 *
 * @param root - the repository's folder
 * @param folders - unpacked extensions as the build has written them
 */
export function assertNoticeScripts(
  root: string,
  folders: readonly string[],
  languages: readonly Language[] = LANGUAGES,
): void {
  const english = readMessages(root, 'en')
  const names = readWordNames(root)
  const packages = folders.map(folder => ({
    folder,
    worker: [WORKER_SCRIPT, LATER_SCRIPT].map(name => readScript(folder, name) ?? '').join(''),
  }))
  for (const language of languages.filter(one => one !== 'en')) {
    const messages = fillWords(english, readMessages(root, language))
    const words = Object.entries(pickWords(names, messages, 'notice'))
      .map(([key, { message }]) => ({ key, message }))
      // Others are spelled in another way in a script.
      .filter(({ message }) => !/["\\\n]/.test(message))
    const name = `${nameNoticeChunk(language)}.js`
    for (const { folder, worker } of packages) {
      const script = readScript(folder, name)
      if (script === null) throw new Error(`There is no ${name}, expected one for each language`)
      for (const { key, message } of words) {
        if (!script.includes(message))
          throw new Error(`${name} has no ${key}, expected "${message}"`)
        const isOwn = message.length > 12 && message !== english[key]?.message
        if (isOwn && worker.includes(message))
          throw new Error(
            `The worker's scripts have ${key} of ${language}, expected in ${name} alone`,
          )
      }
    }
  }
}

/** A script's text with characters for their escapes; null where there is none. */
function readScript(folder: string, name: string): string | null {
  const path = join(folder, name)
  if (!existsSync(path)) return null
  return readFileSync(path, 'utf8').replace(/\\u([0-9a-f]{4})/g, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

function readMessages(root: string, language: Language): Messages {
  const path = join(root, 'public/_locales', language.replace('-', '_'), 'messages.json')
  return JSON.parse(readFileSync(path, 'utf8'))
}

/**
 * `npm run words -- <what> <language>`, for translators. `split ja` writes the texts that Japanese has not yet to
 * `artifacts/words/ja/part-01.json` and on; `merge ja` adds what is in `part-01.done.json` and on to its file in
 * `public/_locales`; `check ja` says what is wrong with that file.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { LANGUAGE_NAMES } from '../../src/popup/pages/settings/language-names.ts'
import type { Messages } from '../first-words.ts'
import { checkWords, listKeys } from './check-words.ts'
import { readGlossary } from './glossary.ts'
import { mergeParts, splitTasks } from './parts.ts'

const ROOT = join(import.meta.dirname, '../..')
const MOST = 350

const [what = '', language = ''] = process.argv.slice(2)
const COMMANDS: { [name: string]: () => void } = { split, merge, check }
const run = COMMANDS[what]
if (!run || !Object.hasOwn(LANGUAGE_NAMES, language)) {
  const languages = Object.keys(LANGUAGE_NAMES).join(', ')
  console.error(`npm run words -- split|merge|check <language>, which is one of ${languages}`)
  process.exit(2)
}
const folder = join(ROOT, 'artifacts/words', language)
const english = readWords('en')
const messages = readWords(language)
run()

function split(): void {
  const parts = splitTasks(english, messages, {
    ...{ language, german: readWords('de'), glossary: readGlossary(language) },
    ...{ sources: readSources(), most: MOST },
  })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [at, part] of parts.entries()) {
    const name = `part-${String(at + 1).padStart(2, '0')}.json`
    writeFileSync(join(folder, name), `${JSON.stringify(part, null, 1)}\n`)
  }
  console.log(`${parts.flat().length} texts in ${parts.length} parts: ${relative(ROOT, folder)}`)
}

function merge(): void {
  const names = existsSync(folder) ? readdirSync(folder).filter(isDone).sort() : []
  const parts = new Map(
    names.map(name => [name, JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown]),
  )
  const merged = mergeParts(english, messages, { language, parts })
  mkdirSync(join(pathOf(language), '..'), { recursive: true })
  writeFileSync(pathOf(language), `${JSON.stringify(merged, null, 2)}\n`)
  const missing = listKeys(english, language).length - Object.keys(merged).length
  console.log(
    `${names.length} parts are in ${relative(ROOT, pathOf(language))}; ${missing} texts are missing`,
  )
}

function check(): void {
  const found = checkWords(english, messages, { language, glossary: readGlossary(language) })
  const lines = (isDoubt: boolean) =>
    found.filter(one => one.isDoubt === isDoubt).map(({ key, problem }) => `${key} ${problem}`)
  const [wrong, doubts] = [lines(false), lines(true)]
  for (const line of doubts) console.log(`look at: ${line}`)
  for (const line of wrong) console.log(`wrong: ${line}`)
  console.log(`${wrong.length} wrong, ${doubts.length} to look at`)
  if (wrong.length > 0) process.exitCode = 1
}

function isDone(name: string): boolean {
  return name.endsWith('.done.json')
}

function pathOf(tag: string): string {
  return join(ROOT, 'public/_locales', tag.replace('-', '_'), 'messages.json')
}

function readWords(tag: string): Messages {
  return existsSync(pathOf(tag)) ? JSON.parse(readFileSync(pathOf(tag), 'utf8')) : {}
}

function readSources(): Map<string, string> {
  const under = join(ROOT, 'src')
  return new Map(
    readdirSync(under, { recursive: true, encoding: 'utf8' })
      .filter(path => /^(popup|background\/notifications)\/.*\.tsx?$/.test(path))
      .filter(path => !path.includes('.test.'))
      .map(path => [path, readFileSync(join(under, path), 'utf8')]),
  )
}

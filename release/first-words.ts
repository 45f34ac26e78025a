import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type WordPart = 'first' | 'soon' | 'rest' | 'notice' | 'help'

/** How names of messages begin that notifications are made of; no screen has them. */
const NOTICE = /^notice[A-Z]/
/** How names of messages begin that explain words; only what explains them has them. */
const HELP = /^help[A-Z]/
/** How names of messages end that have forms for numbers: the categories of CLDR. */
export const PLURAL = /_(zero|one|two|few|many|other)$/

export type Messages = { [key: string]: { message: string } }

/**
 * The messages of a language that one part of its words has: `first` are those that modules of the first screen name, found
 * by following its imports but not what it fetches later; `notice` are those of notifications, which the background shows, `help`
 * those that explain words, and `rest` are all others. `soon` are those of the rest that modules name which wait for this part
 * alone: whoever has the rest has them. Messages that only the manifest names are in none.
 *
 * @param messages - a file of `public/_locales`, parsed
 */
export function pickWords(names: WordNames, messages: Messages, part: WordPart): Messages {
  const { first, soon, isOfManifest } = names
  const isOf = (named: ReadonlySet<string>, key: string) =>
    named.has(key) || named.has(key.replace(PLURAL, ''))
  const partsOf = (key: string): WordPart[] => {
    if (NOTICE.test(key)) return ['notice']
    if (HELP.test(key)) return ['help']
    if (isOf(first, key)) return ['first']
    return isOf(soon, key) ? ['soon', 'rest'] : ['rest']
  }
  return Object.fromEntries(
    Object.entries(messages).filter(([key]) => partsOf(key).includes(part) && !isOfManifest(key)),
  )
}

/** The messages that browsers and stores read: a package needs no others in `_locales`. */
export function pickManifestWords({ isOfManifest }: WordNames, messages: Messages): Messages {
  return Object.fromEntries(Object.entries(messages).filter(([key]) => isOfManifest(key)))
}

/**
 * The messages of a language, with the English ones for those that it has not: so a text is never missing between its being
 * written and its being translated.
 */
export function fillWords(english: Messages, messages: Messages): Messages {
  const stems = new Set(Object.keys(messages).map(key => key.replace(PLURAL, '')))
  const missing = Object.entries(english).filter(([key]) => !stems.has(key.replace(PLURAL, '')))
  return { ...messages, ...Object.fromEntries(missing) }
}

/** Which messages the source of the first screen names, which the source of what is fetched with a few words, and which the manifest. */
export type WordNames = {
  first: ReadonlySet<string>
  soon: ReadonlySet<string>
  isOfManifest(key: string): boolean
}

/** Reads the source, which is the same for all languages. `root` is the repository's folder. */
export function readWordNames(root: string): WordNames {
  const manifest = readFileSync(join(root, 'manifest.json'), 'utf8')
  return {
    first: listNamed(listFirstModules(root)),
    soon: listNamed(listSoonModules(root)),
    isOfManifest: key => manifest.includes(`__MSG_${key}__`),
  }
}

/** The modules that the first screen is made of, as paths: what `popup.tsx` imports, and what that imports. */
export function listFirstModules(root: string): string[] {
  return follow([join(root, 'src/popup/popup.tsx')], listImports)
}

/**
 * The modules of what is fetched with a few words, as paths: what any screen's source waits for with the part `soon`, what that
 * imports, and what it fetches without waiting for words.
 */
export function listSoonModules(root: string): string[] {
  const folder = join(root, 'src/popup')
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path) && !path.includes('.test.'))
    .map(path => join(folder, path))
    .flatMap(path =>
      listFetched(readFileSync(path, 'utf8'))
        .filter(({ part }) => part === 'soon')
        .map(({ specifier }) => join(dirname(path), specifier)),
    )
  return follow(entries, source => [
    ...listImports(source),
    ...listFetched(source).flatMap(({ specifier, part }) => (part === null ? [specifier] : [])),
  ])
}

/** What a module fetches by `import()`, and which words it waits for before that is shown; null where it waits for none. */
export function listFetched(source: string): { specifier: string; part: string | null }[] {
  const fetch =
    /(\b(?:page|loadable)\(\s*async \(\) => \(await )?\bimport\(\s*'([^']+)',?\s*\)(?:\)\.\w+,\s*'(\w+)')?/g
  return [...source.matchAll(fetch)].map(([, waits, specifier = '', part = 'rest']) => ({
    specifier,
    part: waits === undefined ? null : part,
  }))
}

/** Our own modules that these are made of. */
function follow(entries: readonly string[], list: (source: string) => string[]): string[] {
  const found = new Set(entries)
  for (const path of found) {
    for (const specifier of list(readFileSync(path, 'utf8'))) {
      const target = join(dirname(path), specifier)
      if (/\.tsx?$/.test(target) && existsSync(target)) found.add(target)
    }
  }
  return [...found]
}

/** All strings of modules that may be a message's name. */
function listNamed(paths: readonly string[]): Set<string> {
  const sources = paths.map(path => readFileSync(path, 'utf8'))
  return new Set([...sources.join('\n').matchAll(/['"](\w+)['"]/g)].map(([, name = '']) => name))
}

/** Those of our own modules, without imports of types alone and those made by `import()`. */
function listImports(source: string): string[] {
  const statement = /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?['"](\.[^'"]+)['"]/gm
  return [...source.matchAll(statement)].map(([, specifier = '']) => specifier)
}

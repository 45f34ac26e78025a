import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type WordPart = 'first' | 'rest' | 'notice' | 'help'

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
 * those that explain words, and `rest` are all others. Messages that only the manifest names are in none.
 *
 * @param messages - a file of `public/_locales`, parsed
 */
export function pickWords(names: WordNames, messages: Messages, part: WordPart): Messages {
  const { first, isOfManifest } = names
  const isFirst = (key: string) => first.has(key) || first.has(key.replace(PLURAL, ''))
  const partOf = (key: string): WordPart => {
    if (NOTICE.test(key)) return 'notice'
    if (HELP.test(key)) return 'help'
    return isFirst(key) ? 'first' : 'rest'
  }
  return Object.fromEntries(
    Object.entries(messages).filter(([key]) => partOf(key) === part && !isOfManifest(key)),
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

/** Which messages the source of the first screen names, and which the manifest. */
export type WordNames = {
  first: ReadonlySet<string>
  isOfManifest(key: string): boolean
}

/** Reads the source, which is the same for all languages. `root` is the repository's folder. */
export function readWordNames(root: string): WordNames {
  const manifest = readFileSync(join(root, 'manifest.json'), 'utf8')
  return { first: listNamed(root), isOfManifest: key => manifest.includes(`__MSG_${key}__`) }
}

/** The modules that the first screen is made of, as paths: what `popup.tsx` imports, and what that imports. */
export function listFirstModules(root: string): string[] {
  const found = new Set([join(root, 'src/popup/popup.tsx')])
  for (const path of found) {
    for (const imported of listImports(readFileSync(path, 'utf8'))) {
      const target = join(dirname(path), imported)
      if (/\.tsx?$/.test(target) && existsSync(target)) found.add(target)
    }
  }
  return [...found]
}

/** All strings of the first screen's modules that may be a message's name. */
function listNamed(root: string): Set<string> {
  const sources = listFirstModules(root).map(path => readFileSync(path, 'utf8'))
  return new Set([...sources.join('\n').matchAll(/['"](\w+)['"]/g)].map(([, name = '']) => name))
}

/** Those of our own modules, without imports of types alone and those made by `import()`. */
function listImports(source: string): string[] {
  const statement = /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?['"](\.[^'"]+)['"]/gm
  return [...source.matchAll(statement)].map(([, specifier = '']) => specifier)
}

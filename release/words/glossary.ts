import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A term as English texts have it, null where they cannot be searched for it; and the forms of a language's word for it, to be
 * found in what `foldText` makes of a text; `word` is the one that is meant.
 */
export type Glossary = readonly {
  name: string
  term: RegExp | null
  word: string
  forms: RegExp[]
}[]

/** A language's part of `GLOSSARY.md`; empty where it has none, as for English. */
export function readGlossary(language: string): Glossary {
  const text = readFileSync(join(import.meta.dirname, 'GLOSSARY.md'), 'utf8')
  const [, section = ''] = text.split(`\n## ${language}\n`)
  const [part = ''] = section.split('\n## ')
  return [...part.matchAll(/^\| (.+?) \| (.+?) \|$/gm)].flatMap(([, name = '', told = '']) => {
    if (name === 'term' || name.startsWith('---')) return []
    const words = told.split(' / ')
    return [
      {
        name,
        word: words[0] ?? '',
        term: termOf(name),
        forms: words.map(form => formOf(foldText(form, language))),
      },
    ]
  })
}

/** A text as it is compared: in small letters by the language's own rule (İ is i in Turkish, I is ı), without Arabic vowel marks. */
export function foldText(text: string, language: string): string {
  return text.toLocaleLowerCase(language).replace(/[\u064b-\u0652]/g, '')
}

/** A term with the endings of a noun and a verb; null where it has another meaning besides, which parentheses tell apart. */
function termOf(name: string): RegExp | null {
  if (name.includes('(')) return null
  const [stem, endings] = name.endsWith('e')
    ? [name.slice(0, -1), 'e[sd]?|ing']
    : [name, '(?:s|es|ed|ing)?']
  return new RegExp(`(?<![\\p{L}-])${escapePattern(stem)}(?:${endings})(?![\\p{L}-])`, 'iu')
}

/** A folded word with any ending: long words may lose their last two letters, as inflected ones do. */
function formOf(word: string): RegExp {
  const stems = word
    .split(' ')
    .map(part =>
      /^[\p{Script=Latin}\p{Script=Cyrillic}]{5,}/u.test(part) ? part.slice(0, -2) : part,
    )
    .map(part => (/^\p{Script=Arabic}/u.test(part) ? part.replace(/^ال|ة$/g, '') : part))
  return new RegExp(stems.map(escapePattern).join('.{0,6}?'), 'u')
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

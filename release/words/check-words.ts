import { type Messages, PLURAL } from '../first-words.ts'
import { foldText, type Glossary } from './glossary.ts'

/** What is wrong with a text; of what is only worth a look, `isDoubt` is true. */
export type Finding = { key: string; problem: string; isDoubt: boolean }

type Check = (text: Text) => string | null
type Text = { english: string; translated: string; language: string }

/**
 * Names that are the same in every language. Those that are also words, and those of companies in a list of examples, are in
 * the glossary alone.
 */
const NAMES = [
  ...[
    'Satchel',
    'PSBT',
    'BRC-20',
    'ARC-20',
    'BTC',
    'sat/vB',
    'DNSSEC',
    'BIP-\\d+',
    'Taproot',
    'xpub',
  ],
  ...[
    'SegWit',
    'Electrum',
    'Sparrow',
    'Coldcard',
    'Keystone',
    'SeedSigner',
    'Krux',
    'Samourai',
    'Jade',
  ],
  ...[
    'Xverse',
    'Leather',
    'UniSat',
    'OKX Wallet',
    'Bitcoin Core',
    'Bitcoin Signed Message',
    'JSON',
    'CSV',
  ],
  ...[
    'OPI',
    'BBQr',
    'PRF',
    'Lightning',
    'mempool\\.space',
    'https?://(?:[\\w.:/]*\\w)?',
    '/proxy',
    '⧉',
  ],
].map(name => new RegExp(`(?<![A-Za-z])${name}(?![a-z])`, 'g'))

/** Controls, marks that turn a text round, what has no width, and what stands for a broken character. */
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\0-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd]/

/** Letters of scripts that other languages have no use for, such as a Cyrillic а in a French word. */
const SCRIPTS: { [language: string]: RegExp } = {
  ru: /[^\P{L}\p{Script=Latin}\p{Script=Cyrillic}]/u,
  ar: /[^\P{L}\p{Script=Latin}\p{Script=Arabic}]/u,
  'zh-CN': /[^\P{L}\p{Script=Latin}\p{Script=Han}]/u,
  'zh-TW': /[^\P{L}\p{Script=Latin}\p{Script=Han}]/u,
  ja: /[^\P{L}\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u,
  ko: /[^\P{L}\p{Script=Latin}\p{Script=Hangul}]/u,
}

const MARKS: { [language: string]: { wrong: RegExp; expected: string } } = {
  de: { wrong: /["]|“\w|[\p{L}\p{N}}“]…/u, expected: '„…“, and a space before …' },
  es: { wrong: /^(?![^?!]*[¿¡]).*\p{L}[?!]/u, expected: '¿ or ¡ before a question or a shout' },
  fr: {
    wrong: /\p{L}[:;?!»]|«\p{L}|[ ][:;?!»]/u,
    expected: 'a no-break space (U+00A0) before : ; ? ! » and after «',
  },
  ru: { wrong: /[“”]/, expected: '«…»' },
  ar: { wrong: /[\u0600-\u06ff]\s*[,;?]/, expected: '، ؛ ؟' },
  ko: { wrong: /[‘’]/, expected: '“…”' },
  'zh-CN': { wrong: /\p{Script=Han}\s*[,.;:?!()]/u, expected: '，。；：？！（）' },
  'zh-TW': { wrong: /\p{Script=Han}\s*[,.;:?!()]|[“”]/u, expected: '，。；：？！（） and 「…」' },
  ja: {
    wrong: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]\s*[,.;:?!()]|[“”]/u,
    expected: '、。：？！（） and 「…」',
  },
}

const CHECKS: readonly Check[] = [
  ({ translated }) =>
    translated.trim() === '' || translated.trim() !== translated || /\S {2,}/.test(translated)
      ? 'is empty, or has spaces too many'
      : null,
  ({ translated }) => {
    const found = FORBIDDEN.exec(translated)?.[0]
    if (found === undefined) return null
    return `has the character U+${found.charCodeAt(0).toString(16).padStart(4, '0')}`
  },
  ({ translated }) =>
    /<\/?\w|&\w+;/.test(translated) ? 'has HTML, which is shown as it is' : null,
  ({ translated, language }) => {
    const found = SCRIPTS[language]?.exec(withoutNames(translated))?.[0]
    return found === undefined ? null : `has a letter of another script: ${found}`
  },
  ({ translated, language }) => {
    const marks = MARKS[language]
    return marks?.wrong.test(withoutNames(translated))
      ? `has other marks than ${marks.expected}`
      : null
  },
  ({ english, translated }) => {
    const lost = NAMES.flatMap(name => english.match(name) ?? []).filter(
      name => !translated.includes(name),
    )
    return lost.length > 0 ? `lacks ${[...new Set(lost)].join(', ')}` : null
  },
  ({ english, translated }) => {
    const [width, most] = [widthOf(translated), mostWidth(widthOf(english))]
    return width > most ? `is ${width} wide, expected at most ${most}` : null
  },
]

/**
 * All that is wrong with the words of a language.
 *
 * @param language - a BCP 47 tag
 */
export function checkWords(
  english: Messages,
  messages: Messages,
  { language, glossary }: { language: string; glossary: Glossary },
): Finding[] {
  const wanted = listKeys(english, language)
  const known = new Set(wanted)
  const wrong = (key: string, problem: string) => ({ key, problem, isDoubt: false })
  const doubt = (key: string, problem: string) => ({ key, problem, isDoubt: true })
  return [
    ...wanted.filter(key => !(key in messages)).map(key => wrong(key, 'is missing')),
    ...Object.keys(messages)
      .filter(key => !known.has(key))
      .map(key => wrong(key, 'is not used')),
    ...wanted.flatMap(key => {
      const translated = messages[key]?.message
      const original = englishOf(english, key)
      if (translated === undefined) return []
      const text = { english: original, translated, language }
      const folded = foldText(translated, language)
      const problems = [checkNames(english, key, translated, language)].concat(
        CHECKS.map(check => check(text)),
      )
      const doubts = [
        isUntranslated(text) ? 'is the English text' : null,
        ...glossary
          .filter(({ term }) => term?.test(withoutNames(original)))
          .filter(({ forms }) => !forms.some(form => form.test(folded)))
          .map(({ name, word }) => `has ${name}, but not ${word}`),
      ]
      return [
        ...problems.flatMap(problem => (problem === null ? [] : [wrong(key, problem)])),
        ...doubts.flatMap(problem => (problem === null ? [] : [doubt(key, problem)])),
      ]
    }),
  ]
}

/** The keys that a language has: as English, and for what is counted one for each form that whole numbers below a million take. */
export function listKeys(english: Messages, language: string): string[] {
  const forms = [...formsOf(language).keys()]
  return [
    ...new Set(
      Object.keys(english).flatMap(key =>
        PLURAL.test(key) ? forms.map(form => key.replace(PLURAL, `_${form}`)) : [key],
      ),
    ),
  ]
}

/** The English text of a key; for a form that English does not have, the plural. */
export function englishOf(english: Messages, key: string): string {
  return (english[key] ?? english[key.replace(PLURAL, '_other')])?.message ?? ''
}

/**
 * The plural forms of a language that whole numbers below a million take, and the first two numbers of each; `other` always, as
 * what fractions and larger numbers take.
 */
export function formsOf(language: string): Map<string, number[]> {
  const known = FORMS.get(language)
  if (known) return known
  const rules = new Intl.PluralRules(language)
  const forms = new Map<string, number[]>()
  for (let count = 0; count < 2_000; count++) {
    const form = rules.select(count)
    const numbers = forms.get(form) ?? []
    if (numbers.length < 2) forms.set(form, [...numbers, count])
  }
  if (!forms.has('other')) forms.set('other', [])
  FORMS.set(language, forms)
  return forms
}

const FORMS = new Map<string, Map<string, number[]>>()

/** The `{names}` have to be those of English; the number may be left out where a form stands for one number alone. */
function checkNames(
  english: Messages,
  key: string,
  translated: string,
  language: string,
): string | null {
  const namesOf = (text: string) => new Set([...text.matchAll(/\{(\w+)\}/g)].map(([name]) => name))
  const [, form = ''] = PLURAL.exec(key) ?? []
  const plural = namesOf(englishOf(english, form ? key.replace(PLURAL, '_other') : key))
  const [all, has] = [
    new Set([...plural, ...namesOf(englishOf(english, key))]),
    namesOf(translated),
  ]
  const standsForOne = formsOf(language).get(form)?.length === 1
  const lost = [...plural].filter(name => !has.has(name) && !(name === '{count}' && standsForOne))
  const added = [...has].filter(name => !all.has(name))
  if (lost.length > 0) return `lacks ${lost.join(', ')}`
  if (added.length > 0) return `has ${added.join(', ')}, which English has not`
  return /[{}]/.test(translated.replace(/\{\w+\}/g, '').replace(/\{".*"\}/g, ''))
    ? 'has a brace that belongs to no name'
    : null
}

/** Wide characters count two: in columns of a screen, not in letters. */
function widthOf(text: string): number {
  const wide = text.match(
    /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/g,
  )
  return [...text].length + (wide?.length ?? 0)
}

/** Buttons and labels have room for half as much again and a word; long texts need less. */
function mostWidth(english: number): number {
  return Math.round(english <= 30 ? english * 1.6 + 12 : english * 1.5 + 15)
}

function withoutNames(text: string): string {
  return NAMES.reduce((left, name) => left.replace(name, ''), text.replace(/\{(?:\w+|".*")\}/g, ''))
}

/** English of several words, letter for letter. */
function isUntranslated({ english, translated }: Text): boolean {
  return (
    english === translated &&
    withoutNames(english)
      .split(/\s+/)
      .filter(word => /\p{L}{2}/u.test(word)).length > 2
  )
}

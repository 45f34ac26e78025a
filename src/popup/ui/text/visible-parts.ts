import { type WordKey, words } from '../../platform/words.ts'

/** A stretch of text as it can be shown: plain, a line end, or characters that would not be seen. */
export type VisiblePart =
  | { kind: 'plain'; text: string }
  | { kind: 'line-end' }
  | { kind: 'hidden'; code: string; name: string; count: number }

// Control, format (bidi, zero width), unassigned, private use and surrogate code points, every
// separator but the plain space, and all that Unicode calls default-ignorable (fillers, variation
// selectors, tags): each can hide text, reorder it or look like nothing.
const HIDDEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u

const NAMES: { [code: string]: WordKey } = {
  'U+0000': 'unseenNull',
  'U+0009': 'unseenTab',
  'U+000A': 'unseenLineEnd',
  'U+000D': 'unseenCarriageReturn',
  'U+001B': 'unseenEscape',
  'U+0020': 'unseenSpace',
  'U+00A0': 'unseenNoBreakSpace',
  'U+00AD': 'unseenSoftHyphen',
  'U+200B': 'unseenZeroWidthSpace',
  'U+200C': 'unseenZeroWidthNonJoiner',
  'U+200D': 'unseenZeroWidthJoiner',
  'U+2028': 'unseenLineSeparator',
  'U+2029': 'unseenParagraphSeparator',
  'U+2060': 'unseenWordJoiner',
  'U+3164': 'unseenBlankLetter',
  'U+FEFF': 'unseenByteOrderMark',
}

/** Splits text into parts in which no character is invisible; joined, they cover the whole text. */
export function splitVisible(text: string): VisiblePart[] {
  return splitParts(text, character => !/[ \n]/.test(character) && HIDDEN.test(character))
}

/** Splits what counts as one word, such as a token's ticker: of spaces and line ends it matters how many there are, too. */
export function splitWord(text: string): VisiblePart[] {
  return splitParts(text, character => HIDDEN.test(character))
}

function splitParts(text: string, isHidden: (character: string) => boolean): VisiblePart[] {
  const parts: VisiblePart[] = []
  let plain = ''
  const flush = () => {
    if (plain !== '') parts.push({ kind: 'plain', text: plain })
    plain = ''
  }
  for (const character of text) {
    if (isHidden(character)) {
      flush()
      const code = codeOf(character)
      const last = parts.at(-1)
      if (last?.kind === 'hidden' && last.code === code) last.count += 1
      else parts.push({ kind: 'hidden', code, name: nameOf(code), count: 1 })
    } else if (character === '\n') {
      flush()
      parts.push({ kind: 'line-end' })
    } else plain += character
  }
  flush()
  return parts
}

/** How many characters of a text cannot be seen; those that emoji, letters and columns are set with do not count. */
export function countUnseen(text: string): number {
  return splitVisible(text.replace(SETTING, '')).reduce(
    (sum, part) => sum + (part.kind === 'hidden' ? part.count : 0),
    0,
  )
}

/** Tabs, carriage returns, wide and fixed spaces, joiners, and the selectors of how a character is drawn. */
const SETTING = /[\t\r\u00a0\u2000-\u200a\u202f\u3000]|\u200c|\u200d|\ufe0e|\ufe0f/g

/** The same text on one line, with hidden characters written out: for notices and lists. */
export function spellVisible(text: string): string {
  return spell(splitVisible(text))
}

/** One word as a part of a sentence: hidden characters written out, and letters of other directions turn nothing around it. */
export function spellWord(text: string): string {
  const spelled = spell(splitWord(text))
  return /^[!-~]*$/.test(spelled) ? spelled : `\u2066${spelled}\u2069`
}

function spell(parts: readonly VisiblePart[]): string {
  return parts
    .map(part => {
      if (part.kind === 'plain') return part.text
      if (part.kind === 'line-end') return ' '
      return `[${part.code}${part.count > 1 ? ` ×${part.count}` : ''}]`
    })
    .join('')
}

function codeOf(character: string): string {
  const point = character.codePointAt(0) ?? 0
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
}

function nameOf(code: string): string {
  const point = Number.parseInt(code.slice(2), 16)
  if (isBidi(point)) return words('unseenDirectionMark')
  if (point >= 0xd800 && point <= 0xdfff) return words('unseenBroken')
  return words(NAMES[code] ?? 'unseenOther')
}

/** Bidi_Control of Unicode: the characters that can make text read in another order. */
function isBidi(point: number): boolean {
  return (
    point === 0x61c ||
    point === 0x200e ||
    point === 0x200f ||
    (point >= 0x202a && point <= 0x202e) ||
    (point >= 0x2066 && point <= 0x2069)
  )
}

/** A stretch of text as it can be shown: plain, a line end, or characters that would not be seen. */
export type VisiblePart =
  | { kind: 'plain'; text: string }
  | { kind: 'line-end' }
  | { kind: 'hidden'; code: string; name: string; count: number }

// Control, format (bidi, zero width), unassigned, private use and surrogate code points, every
// separator but the plain space, and all that Unicode calls default-ignorable (fillers, variation
// selectors, tags): each can hide text, reorder it or look like nothing.
const HIDDEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u

const NAMES: { [code: string]: string } = {
  'U+0000': 'null',
  'U+0009': 'tab',
  'U+000D': 'carriage return',
  'U+001B': 'escape',
  'U+00A0': 'no-break space',
  'U+00AD': 'soft hyphen',
  'U+200B': 'zero-width space',
  'U+200C': 'zero-width non-joiner',
  'U+200D': 'zero-width joiner',
  'U+2028': 'line separator',
  'U+2029': 'paragraph separator',
  'U+2060': 'word joiner',
  'U+3164': 'blank letter',
  'U+FEFF': 'byte order mark',
}

/** Splits text into parts in which no character is invisible; joined, they cover the whole text. */
export function splitVisible(text: string): VisiblePart[] {
  const parts: VisiblePart[] = []
  let plain = ''
  const flush = () => {
    if (plain !== '') parts.push({ kind: 'plain', text: plain })
    plain = ''
  }
  for (const character of text) {
    if (character === '\n') {
      flush()
      parts.push({ kind: 'line-end' })
    } else if (character !== ' ' && HIDDEN.test(character)) {
      flush()
      const code = codeOf(character)
      const last = parts.at(-1)
      if (last?.kind === 'hidden' && last.code === code) last.count += 1
      else parts.push({ kind: 'hidden', code, name: nameOf(code), count: 1 })
    } else plain += character
  }
  flush()
  return parts
}

/** The same text on one line, with hidden characters written out: for notices and lists. */
export function spellVisible(text: string): string {
  return splitVisible(text)
    .map(part => {
      if (part.kind === 'plain') return part.text
      return part.kind === 'line-end' ? ' ' : `[${part.code}]`
    })
    .join('')
}

function codeOf(character: string): string {
  const point = character.codePointAt(0) ?? 0
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
}

function nameOf(code: string): string {
  const point = Number.parseInt(code.slice(2), 16)
  if (isBidi(point)) return 'direction mark'
  if (point >= 0xd800 && point <= 0xdfff) return 'broken character'
  return NAMES[code] ?? 'invisible character'
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

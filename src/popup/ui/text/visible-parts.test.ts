import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countUnseen, spellVisible, spellWord, splitVisible, splitWord } from './visible-parts.ts'

describe('text from a site', () => {
  it('stays as it is when every character can be seen', () => {
    const text = 'Log in to “Höhle” as 你好 — 12:30 ✓ 🙂'
    expect(splitVisible(text)).toEqual([{ kind: 'plain', text }])
  })
  it('keeps its line ends', () => {
    expect(splitVisible('a\n\nb').map(part => part.kind)).toEqual([
      'plain',
      'line-end',
      'line-end',
      'plain',
    ])
  })
  it('shows characters that reorder it', () => {
    // UAX #9: every Bidi_Control character.
    const bidi = [0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e]
    for (const point of [...bidi, 0x2066, 0x2067, 0x2068, 0x2069]) {
      expect(splitVisible(`a${String.fromCodePoint(point)}b`)[1]).toMatchObject({
        kind: 'hidden',
        name: 'direction mark',
      })
    }
  })
  it('shows zero-width, control, filler, tag and broken characters with their number', () => {
    const hidden = [0x00, 0x1b, 0x7f, 0x85, 0xad, 0x34f, 0x115f, 0x180e, 0x200b, 0x200d, 0x2028]
    for (const point of [...hidden, 0x2060, 0x3164, 0xa0, 0xfe0f, 0xfeff, 0xd800, 0xe0041]) {
      const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
      expect(spellVisible(`a${String.fromCodePoint(point)}b`)).toBe(`a[${code}]b`)
    }
  })
  it('counts repeats instead of repeating them', () => {
    expect(splitVisible('\u200b'.repeat(5000))).toEqual([
      { kind: 'hidden', code: 'U+200B', name: 'zero-width space', count: 5000 },
    ])
  })
  it('loses no character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const shown = splitVisible(text)
        const rebuilt = shown.map(part => {
          if (part.kind === 'plain') return part.text
          if (part.kind === 'line-end') return '\n'
          return String.fromCodePoint(Number.parseInt(part.code.slice(2), 16)).repeat(part.count)
        })
        expect(rebuilt.join('')).toBe(text)
      }),
    )
  })
})

describe('characters that cannot be seen', () => {
  it('are counted, but for those that text is set with', () => {
    expect(countUnseen('gm\r\n\t\u{1f468}\u200d\u{1f469} \u2764\ufe0f')).toBe(0)
    expect(countUnseen('pay\u200b me\u202e now\u{e0041}\u{e0042}')).toBe(4)
  })
})

describe('a word from a site', () => {
  it('stays as it is when all of it can be seen', () => {
    expect(splitWord('$OG$')).toEqual([{ kind: 'plain', text: '$OG$' }])
    expect(spellWord('$OG$')).toBe('$OG$')
  })
  it('shows how many spaces and line ends it has', () => {
    expect(splitWord('a  b\n')).toEqual([
      { kind: 'plain', text: 'a' },
      { kind: 'hidden', code: 'U+0020', name: 'space', count: 2 },
      { kind: 'plain', text: 'b' },
      { kind: 'hidden', code: 'U+000A', name: 'line end', count: 1 },
    ])
    expect(spellWord('    ')).toContain('[U+0020 ×4]')
    expect(spellWord('ord ')).not.toBe(spellWord(' ord'))
  })
  it('turns nothing around in a sentence', () => {
    // UAX #9: what stands between LRI and PDI has no part in the order of what is outside.
    expect(spellWord('\u202eab')).toBe('[U+202E]ab')
    expect(spellWord('\u05d0\u05d1')).toBe('\u2066\u05d0\u05d1\u2069')
  })
})

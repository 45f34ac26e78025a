import fc from 'fast-check'
import { computeDescriptorChecksum } from '../descriptors/descriptor-checksum.ts'
import slip132 from './vectors/slip132.json' with { type: 'json' }

const XPUB = slip132.accounts[0]?.public ?? ''
const KEY = '0260b2003c386519fc9eadf2b5cf124dd8eea4c4e68d5e154050a9346ea98ce600'

/** What parsers stumble over. */
const PIECES = [
  ...[
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    ';',
    ',',
    '/',
    '*',
    '#',
    "'",
    'h',
    ':',
    '\n',
    '"',
    '\\',
  ],
  ...[
    '/0/*',
    '/<0;1>/*',
    '/**',
    '/2147483648',
    '/-1',
    '/1e9',
    '[00000000/84h]',
    '0',
    '-1',
    '999',
    'NaN',
  ],
  ...[
    'null',
    'true',
    '[]',
    '{}',
    '{"',
    '"xpub":',
    '"__proto__":',
    '"constructor":',
    '\u0000',
    '\u202e',
    '\ud800',
  ],
  ...[
    'wsh(',
    'sh(',
    'tr(',
    'sortedmulti(2,',
    'multi_a(1,',
    KEY,
    KEY.slice(2),
    XPUB,
    'Policy: 2 of 3',
    'xprv9s21ZrQH143K',
  ],
]

type Damage =
  | { kind: 'cut'; at: number; length: number }
  | { kind: 'insert'; at: number; piece: number }
  | { kind: 'replace'; at: number; code: number }
  | { kind: 'repeat'; at: number; length: number; times: number }
  | { kind: 'graft'; at: number; other: number; from: number; length: number }
  | { kind: 'drop'; line: number }
  | { kind: 'token'; at: number; with: 'nothing' | 'piece' | 'other' | 'twice'; which: number }
  | { kind: 'seal' }

const place = fc.nat({ max: 10_000 })
const length = fc.nat({ max: 200 })
/** A token keeps keys whole, so that more than their checksums is tried. */
const token: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constant('token' as const),
  at: place,
  with: fc.constantFrom('nothing', 'piece', 'other', 'twice'),
  which: place,
})
const damage: fc.Arbitrary<Damage> = fc.oneof(
  { arbitrary: token, weight: 8 },
  fc.record({ kind: fc.constant('cut' as const), at: place, length }),
  fc.record({ kind: fc.constant('insert' as const), at: place, piece: place }),
  fc.record({ kind: fc.constant('replace' as const), at: place, code: fc.nat({ max: 255 }) }),
  fc.record({
    kind: fc.constant('repeat' as const),
    ...{ at: place, length, times: fc.nat({ max: 30 }) },
  }),
  fc.record({ kind: fc.constant('graft' as const), at: place, other: place, from: place, length }),
  fc.record({ kind: fc.constant('drop' as const), line: fc.nat({ max: 60 }) }),
  fc.record({ kind: fc.constant('seal' as const) }),
)
/** Texts of descriptors and keys with one to three faults, half of the descriptors under a checksum that fits. */
export function damagedTexts(texts: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(place, fc.array(damage, { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([which, damages, isSealed]) => {
      const text = damages.reduce(
        (text, damage) => applyDamage(text, damage, texts),
        texts[which % texts.length] ?? '',
      )
      return isSealed && /^[a-z]+\(.*#/.test(text) ? sealText(text) : text
    })
}

function sealText(text: string): string {
  const body = text.split('#')[0]?.trim() ?? ''
  try {
    return `${body}#${computeDescriptorChecksum(body)}`
  } catch {
    return body
  }
}

function applyDamage(text: string, damage: Damage, texts: readonly string[]): string {
  if (damage.kind === 'drop') {
    const lines = text.split('\n')
    lines.splice(damage.line % lines.length, 1)
    return lines.join('\n')
  }
  if (damage.kind === 'seal') return sealText(text)
  if (damage.kind === 'token') return replaceToken(text, damage, texts)
  const at = damage.at % (text.length + 1)
  const [before, after] = [text.slice(0, at), text.slice(at)]
  if (damage.kind === 'cut') return before + after.slice(damage.length)
  if (damage.kind === 'replace') return before + String.fromCharCode(damage.code) + after.slice(1)
  if (damage.kind === 'insert') return before + (PIECES[damage.piece % PIECES.length] ?? '') + after
  if (damage.kind === 'repeat')
    return before + after.slice(0, damage.length).repeat(damage.times) + after
  const other = texts[damage.other % texts.length] ?? ''
  const from = damage.from % (other.length + 1)
  return before + other.slice(from, from + damage.length) + after.slice(damage.length)
}

function replaceToken(
  text: string,
  damage: Damage & { kind: 'token' },
  texts: readonly string[],
): string {
  const tokens = splitTokens(text)
  const at = damage.at % tokens.length
  const found = tokens[at] ?? ''
  const others = splitTokens(texts[damage.which % texts.length] ?? '')
  tokens[at] = {
    nothing: '',
    piece: PIECES[damage.which % PIECES.length] ?? '',
    other: others[damage.at % others.length] ?? '',
    twice: `${found}${tokens[at + 1] ?? ''}${found}`,
  }[damage.with]
  return tokens.join('')
}

function splitTokens(text: string): string[] {
  return text.split(/([()[\]{},;:<>/#"\s])/)
}

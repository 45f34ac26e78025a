import { concatBytes } from '../../../bitcoin/bytes.ts'
import { encodePushes } from '../../../bitcoin/script.ts'
import type { RuneId } from '../../../ordinals/rune-id.ts'
import type { MintTerms } from '../../../ordinals/runes/runestone.ts'

const OP_RETURN = 0x6a
const OP_13 = 0x5d
const FLAGS = { etching: 1n, terms: 2n, turbo: 4n }
const TAGS = {
  divisibility: 1n,
  flags: 2n,
  spacers: 3n,
  rune: 4n,
  symbol: 5n,
  premine: 6n,
  cap: 8n,
  amount: 10n,
  heightStart: 12n,
  heightEnd: 14n,
  offsetStart: 16n,
  offsetEnd: 18n,
  mint: 20n,
}

export interface NewRune {
  rune: bigint
  spacers: number
  /** In its smallest unit; all of it goes to the first output that is no OP_RETURN. */
  premine: bigint
  divisibility: number
  symbol: string | null
  /** Who may mint it; null for nobody. */
  terms: MintTerms | null
  turbo: boolean
}

/** The output of an etching, its fields in the order of ord's `Runestone::encipher`. */
export function etchingScript(etched: NewRune): Uint8Array {
  const { rune, spacers, premine, divisibility, symbol, terms, turbo } = etched
  const flags = FLAGS.etching | (terms ? FLAGS.terms : 0n) | (turbo ? FLAGS.turbo : 0n)
  return runestoneOf([
    [TAGS.flags, flags],
    [TAGS.rune, rune],
    [TAGS.divisibility, BigInt(divisibility)],
    [TAGS.spacers, BigInt(spacers)],
    [TAGS.symbol, symbol === null ? null : BigInt(symbol.codePointAt(0) ?? 0)],
    [TAGS.premine, premine],
    [TAGS.amount, terms?.amount ?? null],
    [TAGS.cap, terms?.cap ?? null],
    [TAGS.heightStart, terms?.height.start ?? null],
    [TAGS.heightEnd, terms?.height.end ?? null],
    [TAGS.offsetStart, terms?.offset.start ?? null],
    [TAGS.offsetEnd, terms?.offset.end ?? null],
  ])
}

/** The output that mints a rune once, by its id (`block:tx`). */
export function mintScript(rune: RuneId): Uint8Array {
  return runestoneOf(rune.split(':').map(part => [TAGS.mint, BigInt(part)]))
}

function runestoneOf(fields: readonly (readonly [tag: bigint, value: bigint | null])[]) {
  const integers = fields.flatMap(([tag, value]) => (value === null ? [] : [tag, value]))
  const payload = Uint8Array.from(integers.flatMap(encodeVarint))
  return concatBytes(Uint8Array.of(OP_RETURN, OP_13), encodePushes([payload]))
}

/** LEB128. */
function encodeVarint(value: bigint): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return [...bytes, Number(rest)]
}

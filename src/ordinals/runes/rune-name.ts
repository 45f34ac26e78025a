import type { RuneId } from '../rune-id.ts'

/** A name without its spacers as a number: A is 0, Z 25, AA 26. */
export type RuneNumber = bigint

/** A name: bit i of `spacers` stands for a `•` behind letter i. */
export type SpacedRune = { rune: RuneNumber; spacers: number }

const SPACER = '•'
const LETTERS = 26n
const FIRST_LETTER = 0x41
const U128 = 2n ** 128n - 1n

/** The first name of those that belong to runes which were etched without one: AAAAAAAAAAAAAAAAAAAAAAAAAAA (`Rune::RESERVED` in ord). */
const RESERVED: RuneNumber = 6_402_364_363_415_443_603_228_541_259_936_211_926n

/** Reads a name with `•` or `.` between some of its letters; null for any other text, and for a name beyond 128 bits. */
export function parseRuneName(text: string): SpacedRune | null {
  if (!/^[A-Z](?:[•.]?[A-Z]){0,27}$/.test(text)) return null
  let rune = -1n
  let spacers = 0
  let letters = 0
  for (const sign of text) {
    if (sign === SPACER || sign === '.') {
      spacers |= 1 << (letters - 1)
      continue
    }
    rune = (rune + 1n) * LETTERS + BigInt(sign.charCodeAt(0) - FIRST_LETTER)
    letters++
  }
  return rune > U128 ? null : { rune, spacers }
}

/** The name with its spacers; those behind the last letter are left out. */
export function formatRuneName({ rune, spacers }: SpacedRune): string {
  const letters: string[] = []
  for (let rest = rune + 1n; rest > 0n; rest = (rest - 1n) / LETTERS)
    letters.unshift(String.fromCharCode(FIRST_LETTER + Number((rest - 1n) % LETTERS)))
  return letters
    .map((letter, at) =>
      (spacers >>> at) & 1 && at < letters.length - 1 ? letter + SPACER : letter,
    )
    .join('')
}

/** The name that a rune has by its id where its etching gives none (`Rune::reserved` in ord). */
export function reservedRuneOf(id: RuneId): RuneNumber {
  const [block = '0', tx = '0'] = id.split(':')
  return RESERVED + ((BigInt(block) << 32n) | BigInt(tx))
}

/** What a tapscript of the etching's inputs must push: the number, little-endian, without zeros at its end (`Rune::commitment` in ord). */
export function commitmentOf(rune: RuneNumber): Uint8Array {
  const bytes: number[] = []
  for (let rest = rune; rest > 0n; rest >>= 8n) bytes.push(Number(rest & 0xffn))
  return Uint8Array.from(bytes)
}

/** A rune's name as a number: A is 0, Z 25, AA 26. */
export type RuneNumber = bigint

/** From here on names belong to runes that were etched without one. */
const RESERVED: RuneNumber = 6_402_364_363_415_443_603_228_541_259_936_211_926n
/** ord's `SUBSIDY_HALVING_INTERVAL / 12`, which is mainnet's on every network: every so many blocks a letter less is needed. */
const UNLOCK_INTERVAL = 17_500
const LONGEST_UNLOCKED = 12
const SPACER = '•'
const FIRST_LETTER = 'A'.charCodeAt(0)

/** Of one or more letters from A to Z; null for any other text. */
export function parseRuneName(text: string): RuneNumber | null {
  if (!/^[A-Z]{1,28}$/.test(text)) return null
  return [...text].reduce(
    (number, letter) => (number + 1n) * 26n + BigInt(letter.charCodeAt(0) - FIRST_LETTER),
    -1n,
  )
}

/** A name with `•` or `.` between some letters, and its spacers as a bit for each letter; null for any other text. */
export function parseSpacedName(text: string): { rune: RuneNumber; spacers: number } | null {
  const words = text.split(/[•.]/)
  const rune = words.includes('') ? null : parseRuneName(words.join(''))
  if (rune === null) return null
  let letters = 0
  let spacers = 0
  for (const word of words.slice(0, -1)) {
    letters += word.length
    spacers |= 1 << (letters - 1)
  }
  return { rune, spacers }
}

export function formatRuneName(rune: RuneNumber): string {
  let name = ''
  for (let rest = rune + 1n; rest > 0n; rest = (rest - 1n) / 26n) {
    name = String.fromCharCode(FIRST_LETTER + Number((rest - 1n) % 26n)) + name
  }
  return name
}

export function formatSpacedName(rune: RuneNumber, spacers: number): string {
  const letters = [...formatRuneName(rune)]
  return letters
    .map((letter, i) => (i < letters.length - 1 && (spacers >>> i) & 1 ? letter + SPACER : letter))
    .join('')
}

export function isReserved(rune: RuneNumber): boolean {
  return rune >= RESERVED
}

/** The name of a rune that was etched without one. */
export function reserveName(height: number, position: number): RuneNumber {
  return RESERVED + ((BigInt(height) << 32n) | BigInt(position))
}

/** The lowest, that is shortest, name that may be etched in a regtest block of this height. */
export function minimumName(height: number): RuneNumber {
  const progress = height + 1
  const letters = LONGEST_UNLOCKED - Math.floor(progress / UNLOCK_INTERVAL)
  if (letters <= 0) return 0n
  const start = parseRuneName('A'.repeat(letters + 1)) ?? 0n
  const end = parseRuneName('A'.repeat(letters)) ?? 0n
  const remainder = BigInt(progress % UNLOCK_INTERVAL)
  return start - ((start - end) * remainder) / BigInt(UNLOCK_INTERVAL)
}

/** What the tapscript of an etching's input must push: little-endian without trailing zeros. */
export function nameCommitment(rune: RuneNumber): Uint8Array {
  const bytes: number[] = []
  for (let rest = rune; rest > 0n; rest >>= 8n) bytes.push(Number(rest & 0xffn))
  return Uint8Array.from(bytes)
}

/**
 * Where a key comes from (BIP-32, BIP-174): the fingerprint of the master key, 8 hex digits, and the path from there, each step
 * a child number below 2^32, hardened ones from 2^31 on.
 */
export type KeyOrigin = { fingerprint: string; path: readonly number[] }

/** The first child number that is hardened. */
export const HARDENED = 0x80000000

/** A path as it is written: `m/84'/0'/0'/0/5`. */
export function formatKeyPath(path: readonly number[]): string {
  return ['m', ...path.map(step => (step >= HARDENED ? `${step - HARDENED}'` : String(step)))].join(
    '/',
  )
}

/** Reverses {@link formatKeyPath}; also takes `h` and `H` for hardened steps, and a path without `m`. Null for any other text. */
export function parseKeyPath(text: string): number[] | null {
  const steps = text.replace(/^m\/?/, '')
  if (steps === '') return []
  const path = steps.split('/').map(step => {
    const [, digits, mark] = /^(\d{1,10})(['hH]?)$/.exec(step) ?? []
    if (digits === undefined) return Number.NaN
    const number = Number(digits)
    return number >= HARDENED ? Number.NaN : number + (mark ? HARDENED : 0)
  })
  return path.some(Number.isNaN) ? null : path
}

/** A path with `c` for the coin type and `i` for the index: `m/44'/c'/0'/0/i`. */
export type PathTemplate = `m/${string}`

/** BIP-32 has 255 levels; no wallet has used more than a few of them. */
const MOST_STEPS = 8

/** Whether a value is a path with one index, at most one coin type, hardened, and numbers that BIP-32 can harden. */
export function isPathTemplate(value: unknown): value is PathTemplate {
  if (typeof value !== 'string' || value.length > 100) return false
  const [root, ...steps] = value.split('/')
  const count = (letter: string) => steps.filter(step => step.startsWith(letter)).length
  return (
    root === 'm' &&
    steps.length <= MOST_STEPS &&
    steps.every(isStep) &&
    count('i') === 1 &&
    count('c') <= 1
  )
}

function isStep(step: string): boolean {
  if (step === "c'" || step === 'i' || step === "i'") return true
  return /^(0|[1-9]\d{0,9})'?$/.test(step) && Number.parseInt(step, 10) < 2 ** 31
}

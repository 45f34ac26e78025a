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

import { countWords, words } from '../../platform/words.ts'

/** From 0 (cannot be used) to 4, with the words that say so. */
export type PasswordStrength = { level: 0 | 1 | 2 | 3 | 4; hint: string }

export const SHORTEST_PASSWORD = 8

/** A rough guess of how many tries a password stands, in bits; repeats and runs count for little. */
export function estimateBits(password: string): number {
  const characters = [...password]
  let pool = 0
  if (/\p{Ll}/u.test(password)) pool += 26
  if (/\p{Lu}/u.test(password)) pool += 26
  if (/\d/.test(password)) pool += 10
  if (/[^\p{L}\d]/u.test(password)) pool += 20
  if (/[^\0-~]/u.test(password)) pool += 60
  let fresh = 0
  for (const [index, character] of characters.entries()) {
    const before = characters[index - 1]
    const step = before ? Math.abs(pointOf(character) - pointOf(before)) : 2
    const seen = characters.indexOf(character) < index
    fresh += step <= 1 ? 0.2 : seen ? 0.6 : 1
  }
  const bits = fresh * Math.log2(Math.max(pool, 2))
  return COMMON.test(password) ? bits / 2 : bits
}

function pointOf(character: string): number {
  return character.codePointAt(0) ?? 0
}

const COMMON = /pass|word|qwert|asdf|letmein|bitcoin|wallet|satoshi|admin|welcome|iloveyou|123|abc/i

/** What to tell a person about a password that they are choosing. */
export function ratePassword(password: string): PasswordStrength {
  const missing = SHORTEST_PASSWORD - [...password].length
  if (missing > 0) return { level: 0, hint: countWords('passwordMissing', missing) }
  const bits = estimateBits(password)
  if (bits < 36) return { level: 1, hint: words('passwordWeak') }
  if (bits < 52) return { level: 2, hint: words('passwordFair') }
  if (bits < 70) return { level: 3, hint: words('passwordGood') }
  return { level: 4, hint: words('passwordStrong') }
}

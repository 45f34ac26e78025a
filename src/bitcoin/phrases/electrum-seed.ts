// Seeds of Electrum's own making, since its version 2.0: https://electrum.readthedocs.io/en/latest/seedphrase.html

import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { toHex, toUtf8 } from '../bytes.ts'
import { stretchToSeed } from '../mnemonic.ts'
import { isOfCjk } from './cjk.ts'

/** What Electrum makes of a seed of its own: one key for each address, or two-factor accounts. */
export type ElectrumSeedType = 'standard' | 'segwit' | '2fa' | '2fa_segwit'

/** The first hex digits of the hash of a seed, which Electrum has instead of a checksum. */
const PREFIXES: readonly (readonly [ElectrumSeedType, string])[] = [
  ['standard', '01'],
  ['segwit', '100'],
  ['2fa', '101'],
  ['2fa_segwit', '102'],
]

/** Electrum has none shorter; of shorter texts some would be taken for seeds by chance. */
const LEAST_WORDS = 12

/** Twenty-five words are not longer in any language. */
const MOST_CHARACTERS = 2000

/** Which of Electrum's own seeds some words of any language are; null for others. One text of some 240 is one by chance. */
export function identifyElectrumSeed(text: string): ElectrumSeedType | null {
  if (text.length > MOST_CHARACTERS) return null
  const normalized = normalizeElectrumText(text)
  const count = text.split(SPACES).filter(Boolean).length
  if (countWords(normalized) < LEAST_WORDS) return null
  const hash = toHex(hmac(sha512, toUtf8('Seed version'), toUtf8(normalized)))
  const [type] = PREFIXES.find(([, prefix]) => hash.startsWith(prefix)) ?? []
  // The older form of two factors shares its version, and has 12 words or 20 and more.
  if (type === '2fa' && count > 12 && count < 20) return null
  return type ?? null
}

/** The 64 bytes that a seed's keys are derived from by BIP-32. */
export function electrumToSeed(words: string, passphrase: string): Promise<Uint8Array> {
  const salt = `electrum${normalizeElectrumText(passphrase)}`
  return stretchToSeed(normalizeElectrumText(words), salt)
}

/** What Python takes for space. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: some of these are
const SPACES = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/

/**
 * A seed, or its passphrase, as Electrum takes it: capitals, accents and the number of spaces do not count, nor do spaces between
 * letters of Chinese, Japanese and Korean.
 */
export function normalizeElectrumText(text: string): string {
  const letters = [...text.normalize('NFKD').toLowerCase()].filter(letter => !isCombining(letter))
  const spaced = letters.join('').split(SPACES).filter(Boolean).join(' ')
  const all = [...spaced]
  const isBetween = (at: number) => isOfCjk(all[at - 1]) && isOfCjk(all[at + 1])
  return all.filter((letter, at) => letter !== ' ' || !isBetween(at)).join('')
}

/** Of the lowest and the highest class of marks that combine with a letter. */
const [LOWEST, HIGHEST] = ['\u0334', '\u0345']

/** Whether Unicode gives a letter a combining class: normalization then moves it past a mark of another class. */
function isCombining(letter: string): boolean {
  // None comes before this one.
  if (letter < '\u0300') return false
  return (
    letter === LOWEST ||
    letter === HIGHEST ||
    `${letter}${LOWEST}`.normalize('NFD') === `${LOWEST}${letter}` ||
    `${HIGHEST}${letter}`.normalize('NFD') === `${letter}${HIGHEST}`
  )
}

/** Words, or letters where there is no space between them. */
function countWords(normalized: string): number {
  const parts = normalized.split(' ').filter(Boolean)
  return parts.reduce((sum, part) => sum + ([...part].every(isOfCjk) ? [...part].length : 1), 0)
}

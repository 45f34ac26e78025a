import { splitWords } from '../phrase-words.ts'
import oldWords from './electrum-old-words.json' with { type: 'json' }

const WORDS: ReadonlySet<string> = new Set(oldWords.split(' '))

/**
 * Whether a text is a seed of Electrum before 2.0: 12 or 24 words of a list of its own, or 16 or 32 bytes in hex. Its keys are not
 * compressed, and no BIP derives them.
 */
export function isOldElectrumSeed(text: string): boolean {
  const words = splitWords(text)
  if (words.length === 1) return /^(?:[0-9a-f]{32}){1,2}$/.test(words[0] ?? '')
  return (words.length === 12 || words.length === 24) && words.every(word => WORDS.has(word))
}

/** Whether a text is 32 bytes in hex: a private key as well may be written so. */
export function isHexOfKey(text: string): boolean {
  const words = splitWords(text)
  return words.length === 1 && /^[0-9a-f]{64}$/.test(words[0] ?? '')
}

import { entropyToMnemonic, mnemonicToEntropy } from 'bip39'
import english from 'bip39/src/wordlists/english.json' with { type: 'json' }
import { fromHex, toHex, toUtf8 } from './bytes.ts'
import { splitWords } from './phrase-words.ts'

/** BIP-39's 2,048 English words. */
export const BIP39_WORDS: readonly string[] = english

export type MnemonicCheck =
  /** `mnemonic` is normalised: NFKD, lower case, single spaces. */
  | { valid: true; mnemonic: string }
  | {
      valid: false
      problem: 'WORD_COUNT' | 'UNKNOWN_WORD' | 'CHECKSUM'
      unknownWords: UnknownWord[]
      wordCount: number
    }

/** A word that is not in the list, and its place in the phrase, from 0. */
export type UnknownWord = { word: string; place: number }

/** BIP-39 phrase of 16 bytes (12 words) or 32 bytes (24 words) of entropy, which the caller takes from a secure source. */
export function generateMnemonic(words: 12 | 24, entropy: Uint8Array): string[] {
  if (entropy.length !== (words * 4) / 3)
    throw new Error(`entropy: ${words} words need ${(words * 4) / 3} bytes`)
  return withBuffer(() => entropyToMnemonic(toHex(entropy), english)).split(' ')
}

/** Whether a text is a BIP-39 phrase of 12 to 24 English words; case and spacing do not matter. */
export function checkMnemonic(text: string): MnemonicCheck {
  const words = splitWords(text)
  const known = new Set(english)
  const unknownWords = words.flatMap((word, place) => (known.has(word) ? [] : [{ word, place }]))
  const wrong = (problem: 'WORD_COUNT' | 'UNKNOWN_WORD' | 'CHECKSUM') =>
    ({ valid: false, problem, unknownWords, wordCount: words.length }) as const
  if (![12, 15, 18, 21, 24].includes(words.length)) return wrong('WORD_COUNT')
  if (unknownWords.length > 0) return wrong('UNKNOWN_WORD')
  const mnemonic = words.join(' ')
  try {
    withBuffer(() => mnemonicToEntropy(mnemonic, english))
  } catch {
    return wrong('CHECKSUM')
  }
  return { valid: true, mnemonic }
}

/** BIP-39 */
const SEED_ROUNDS = 2048
const SEED_BITS = 512

/** The 64-byte BIP-39 seed. */
export function mnemonicToSeed(mnemonic: string, passphrase: string): Promise<Uint8Array> {
  return stretchToSeed(mnemonic.normalize('NFKD'), `mnemonic${passphrase.normalize('NFKD')}`)
}

/** 64 bytes by the browser's own PBKDF2, which takes a sixth of the time of one in JavaScript. */
export async function stretchToSeed(words: string, salted: string): Promise<Uint8Array> {
  const [password, salt] = [toUtf8(words), toUtf8(salted)]
  try {
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const algorithm = { name: 'PBKDF2', hash: 'SHA-512', salt, iterations: SEED_ROUNDS }
    return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, SEED_BITS))
  } finally {
    password.fill(0)
    salt.fill(0)
  }
}

/** What `bip39` uses of Node's Buffer, which browsers lack: from text, hex or bytes, and to hex. */
class ByteBuffer extends Uint8Array {
  override toString(): string {
    return toHex(this)
  }
}

const BUFFER_SHIM = {
  isBuffer: (value: unknown) => value instanceof ByteBuffer,
  from: (value: string | ArrayLike<number>, encoding?: string) => {
    if (typeof value !== 'string') return new ByteBuffer(value)
    return new ByteBuffer(encoding === 'hex' ? fromHex(value) : toUtf8(value))
  },
}

/** Runs a synchronous call with the shim in place of the global Buffer, so that nothing else ever sees it. */
function withBuffer<T>(call: () => T): T {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'Buffer')
  Object.defineProperty(globalThis, 'Buffer', { value: BUFFER_SHIM, configurable: true })
  try {
    return call()
  } finally {
    if (before) Object.defineProperty(globalThis, 'Buffer', before)
    else Reflect.deleteProperty(globalThis, 'Buffer')
  }
}

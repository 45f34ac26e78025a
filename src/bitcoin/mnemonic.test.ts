import { pbkdf2Sync } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fromHex, toHex } from './bytes.ts'
import { checkMnemonic, generateMnemonic, mnemonicToSeed } from './mnemonic.ts'
import { BIP39_VECTORS } from './testing/bip39-vectors.ts'

const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

afterEach(() => vi.unstubAllGlobals())

describe('BIP-39 vectors', () => {
  it.each(BIP39_VECTORS)('of %i words: entropy %s', async (words, entropy, mnemonic, seed) => {
    expect(generateMnemonic(words, fromHex(entropy)).join(' ')).toBe(mnemonic)
    expect(checkMnemonic(mnemonic)).toEqual({ valid: true, mnemonic })
    expect(toHex(await mnemonicToSeed(mnemonic, 'TREZOR'))).toBe(seed)
  })

  it('hold where there is no Buffer, as in a browser, and none is left behind', async () => {
    vi.stubGlobal('Buffer', undefined)
    Reflect.deleteProperty(globalThis, 'Buffer')
    const [words, entropy, mnemonic, seed] = BIP39_VECTORS[3] ?? expect.fail()
    const phrase = generateMnemonic(words, fromHex(entropy)).join(' ')
    const check = checkMnemonic(phrase)
    const derived = toHex(await mnemonicToSeed(phrase, 'TREZOR'))
    const left = 'Buffer' in globalThis
    vi.unstubAllGlobals()
    expect([phrase, check.valid, derived, left]).toEqual([mnemonic, true, seed, false])
  })
})

describe('generateMnemonic', () => {
  it('makes a valid phrase of any entropy', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(12 as const, 24 as const),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (words, random) => {
          const phrase = generateMnemonic(words, random.slice(0, (words * 4) / 3))
          expect(phrase).toHaveLength(words)
          expect(checkMnemonic(phrase.join(' ')).valid).toBe(true)
        },
      ),
    )
  })

  it('refuses entropy of another size', () => {
    expect(() => generateMnemonic(12, new Uint8Array(32))).toThrow('16 bytes')
    expect(() => generateMnemonic(24, new Uint8Array(16))).toThrow('32 bytes')
  })

  it('leaves the Buffer of its surroundings as it was', () => {
    const before = globalThis.Buffer
    generateMnemonic(12, new Uint8Array(16))
    checkMnemonic('zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo')
    expect(globalThis.Buffer).toBe(before)
  })
})

describe('checkMnemonic', () => {
  it('overlooks case, spacing and compatibility forms of letters', () => {
    const written = `\n  ${PHRASE.toUpperCase().replaceAll(' ', ' \t\u3000')} `.replace(
      'LEGAL',
      'ＬＥＧＡＬ',
    )
    expect(checkMnemonic(written)).toEqual({ valid: true, mnemonic: PHRASE })
  })

  it('counts words before anything else', () => {
    const words = PHRASE.split(' ')
    for (const wordCount of [0, 1, 3, 9, 11])
      expect(checkMnemonic(words.slice(0, wordCount).join(' '))).toEqual({
        valid: false,
        problem: 'WORD_COUNT',
        unknownWords: [],
        wordCount,
      })
    expect(checkMnemonic(`${PHRASE} zoo`)).toMatchObject({ problem: 'WORD_COUNT', wordCount: 13 })
  })

  it('names the words that are not in the list', () => {
    const text = PHRASE.replace('year', 'jahr').replace('useful', 'constructor')
    expect(checkMnemonic(text)).toEqual({
      valid: false,
      problem: 'UNKNOWN_WORD',
      unknownWords: [
        { word: 'jahr', place: 3 },
        { word: 'constructor', place: 7 },
      ],
      wordCount: 12,
    })
  })

  it('notices swapped words by the checksum', () => {
    const text = PHRASE.replace('legal winner', 'winner legal')
    expect(checkMnemonic(text)).toMatchObject({ problem: 'CHECKSUM', unknownWords: [] })
  })
})

describe('mnemonicToSeed', () => {
  it('is the PBKDF2 of BIP-39 for any passphrase, normalised', async () => {
    const passphrases = fc.string({ unit: 'grapheme' })
    await fc.assert(
      fc.asyncProperty(passphrases, async passphrase => {
        const salt = `mnemonic${passphrase}`.normalize('NFKD')
        const expected = pbkdf2Sync(PHRASE, salt, 2048, 64, 'sha512').toString('hex')
        expect(toHex(await mnemonicToSeed(PHRASE, passphrase))).toBe(expected)
      }),
      { numRuns: 10 },
    )
  })
})

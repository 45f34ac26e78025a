import { pbkdf2Sync } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fromHex, toHex } from './bytes.ts'
import { checkMnemonic, generateMnemonic, mnemonicToSeed } from './mnemonic.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

/** Entropy, phrase and seed (passphrase TREZOR) of the vectors that BIP-39 refers to. */
const VECTORS: readonly (readonly [12 | 24, string, string, string])[] = [
  [
    12,
    '00000000000000000000000000000000',
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
    'c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04',
  ],
  [
    12,
    '7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f',
    'legal winner thank year wave sausage worth useful legal winner thank yellow',
    '2e8905819b8723fe2c1d161860e5ee1830318dbf49a83bd451cfb8440c28bd6fa457fe1296106559a3c80937a1c1069be3a3a5bd381ee6260e8d9739fce1f607',
  ],
  [
    12,
    'ffffffffffffffffffffffffffffffff',
    'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong',
    'ac27495480225222079d7be181583751e86f571027b0497b5b5d11218e0a8a13332572917f0f8e5a589620c6f15b11c61dee327651a14c34e18231052e48c069',
  ],
  [
    24,
    '8080808080808080808080808080808080808080808080808080808080808080',
    'letter advice cage absurd amount doctor acoustic avoid letter advice cage absurd amount doctor acoustic avoid letter advice cage absurd amount doctor acoustic bless',
    'c0c519bd0e91a2ed54357d9d1ebef6f5af218a153624cf4f2da911a0ed8f7a09e2ef61af0aca007096df430022f7a2b6fb91661a9589097069720d015e4e982f',
  ],
  [
    24,
    '15da872c95a13dd738fbf50e427583ad61f18fd99f628c417a61cf8343c90419',
    'beyond stage sleep clip because twist token leaf atom beauty genius food business side grid unable middle armed observe pair crouch tonight away coconut',
    'b15509eaa2d09d3efd3e006ef42151b30367dc6e3aa5e44caba3fe4d3e352e65101fbdb86a96776b91946ff06f8eac594dc6ee1d3e82a42dfe1b40fef6bcc3fd',
  ],
]
const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

afterEach(() => vi.unstubAllGlobals())

describe('BIP-39 vectors', () => {
  it.each(VECTORS)('of %i words: entropy %s', async (words, entropy, mnemonic, seed) => {
    expect(generateMnemonic(words, fromHex(entropy)).join(' ')).toBe(mnemonic)
    expect(checkMnemonic(mnemonic)).toEqual({ valid: true, mnemonic })
    expect(toHex(await mnemonicToSeed(mnemonic, 'TREZOR'))).toBe(seed)
  })

  it('hold where there is no Buffer, as in a browser, and none is left behind', async () => {
    vi.stubGlobal('Buffer', undefined)
    Reflect.deleteProperty(globalThis, 'Buffer')
    const [words, entropy, mnemonic, seed] = VECTORS[3] ?? expect.fail()
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
      unknownWords: ['jahr', 'constructor'],
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

import { describe, expect, it } from 'vitest'
import { encodeAddress } from '../address.ts'
import { toHex } from '../bytes.ts'
import { addressPath } from '../derivation.ts'
import { createPublicKeys } from '../public-derivation.ts'
import vectors from '../testing/vectors/electrum-seeds.json' with { type: 'json' }
import { normalizeElectrumText } from './electrum-seed.ts'
import { electrumPlaceOf, isSamePhrase, listPhraseKinds, phraseToSeed } from './phrase.ts'

const kindOf = (kind: string) => (kind === 'segwit' ? 'electrum-segwit' : 'electrum-standard')

describe('a seed of Electrum', () => {
  it.each(vectors.seeds)('becomes the bytes that Electrum makes of it: $name', async vector => {
    const kind = kindOf(vector.kind)
    const { words: mnemonic, passphrase } = vector
    expect(listPhraseKinds(mnemonic)).toEqual([kind])
    expect(toHex(await phraseToSeed({ kind, mnemonic, passphrase }))).toBe(vector.seed)
  })

  it.each(vectors.wallets)(
    'has the addresses of its wallet in Electrum: $receiving',
    async vector => {
      const kind = kindOf(vector.kind)
      const place = electrumPlaceOf(kind)
      if (!place) throw new Error('no place')
      const { words: mnemonic, passphrase } = vector
      const publicKeyAt = createPublicKeys(await phraseToSeed({ kind, mnemonic, passphrase }))
      const addressOn = (branch: 0 | 1) => {
        const path = addressPath(place, { branch, index: 0 }, 'mainnet')
        return encodeAddress(publicKeyAt(path), place.addressType, 'mainnet')
      }
      expect([addressOn(0), addressOn(1)]).toEqual([vector.receiving, vector.change])
    },
  )

  it('is the same however it is typed, and another with another passphrase', () => {
    const [first] = vectors.seeds
    const chinese = vectors.seeds.find(({ name }) => name === 'chinese')
    if (!first || !chinese) throw new Error('no vector')
    const phrase = (mnemonic: string, passphrase = '') =>
      ({ kind: 'electrum-segwit', mnemonic, passphrase }) as const
    const typed = [` ${first.words.toUpperCase()}\n`, first.words.replaceAll(' ', '\u3000\x1f')]
    for (const text of typed) expect(isSamePhrase(phrase(first.words), phrase(text))).toBe(true)
    const joined = chinese.words.replaceAll(' ', '')
    expect(isSamePhrase(phrase(chinese.words), phrase(joined))).toBe(true)
    expect(listPhraseKinds(joined)).toEqual(['electrum-segwit'])
    expect(isSamePhrase(phrase('a', 'Café'), phrase('a', ' cafe'))).toBe(true)
    expect(isSamePhrase(phrase('a', 'tea'), phrase('a', 'te a'))).toBe(false)
    const other = { ...phrase(first.words), kind: 'bip39' } as const
    expect(isSamePhrase(phrase(first.words), other)).toBe(false)
  })

  it('is normalized as Electrum normalizes texts of any script', () => {
    for (const [text = '', normalized] of vectors.normalized)
      expect(normalizeElectrumText(text), JSON.stringify(text)).toBe(normalized)
  })

  it('keeps the vowels of a passphrase that are marks without a combining class, as Electrum does', () => {
    // Hindi and Thai: Python's unicodedata.combining is 0 for the first of each, and 9 and 107 for the second.
    expect(normalizeElectrumText('कि क्')).toBe('कि क')
    expect(normalizeElectrumText('กำ ก่')).toBe('กํา ก'.normalize('NFKD'))
  })
})

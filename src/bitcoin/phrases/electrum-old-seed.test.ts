import { describe, expect, it } from 'vitest'
import { BIP39_VECTORS } from '../testing/bip39-vectors.ts'
import vectors from '../testing/vectors/electrum-seeds.json' with { type: 'json' }
import { isHexOfKey, isOldElectrumSeed } from './electrum-old-seed.ts'

describe('a seed of Electrum before 2.0', () => {
  it('is known by its words or its hex, as Electrum knows it', () => {
    for (const text of vectors.old) expect(isOldElectrumSeed(text), text).toBe(true)
    for (const text of vectors.notOld) expect(isOldElectrumSeed(text), text).toBe(false)
  })

  it('is not told from a private key in hex where it has as many digits', () => {
    // Keys of BIP-340's vectors.
    const keys = [
      'B7E151628AED2A6ABF7158809CF4F3C762E7160F38B4DA56A784D9045190CFEF',
      ' c90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b14e5c9\n',
    ]
    for (const key of keys) expect([isOldElectrumSeed(key), isHexOfKey(key)]).toEqual([true, true])
    const shorter = vectors.old.filter(text => text.trim().length !== 64)
    expect(shorter.length).toBeGreaterThan(3)
    for (const text of shorter) expect(isHexOfKey(text), text).toBe(false)
  })

  it('is none of the later ones, and none of BIP-39', () => {
    for (const { words } of vectors.seeds) expect(isOldElectrumSeed(words)).toBe(false)
    for (const [, , mnemonic] of BIP39_VECTORS) expect(isOldElectrumSeed(mnemonic)).toBe(false)
  })
})

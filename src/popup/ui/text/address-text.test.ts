import { describe, expect, it } from 'vitest'
import { chunkAddress, shortenAddress } from './address-text.tsx'

// BIP-86, BIP-173 and BIP-49 examples.
const TAPROOT = 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'
const SEGWIT = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const WRAPPED = '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2'

describe('an address', () => {
  it('is cut into fours without losing a character', () => {
    const chunks = chunkAddress(TAPROOT)
    expect(chunks.slice(0, 2)).toEqual(['bc1p', '5cyx'])
    expect(chunks.at(-1)).toBe('cr')
    expect(chunks.join('')).toBe(TAPROOT)
    expect(chunkAddress('')).toEqual([])
  })
  it('is shortened to its kind and its last four', () => {
    expect(shortenAddress(TAPROOT)).toBe('bc1p…drcr')
    expect(shortenAddress(SEGWIT)).toBe('tb1q…jzsx')
    expect(shortenAddress(WRAPPED)).toBe('2Mww…aiD2')
    expect(shortenAddress('abcdefgh')).toBe('abcdefgh')
  })
})

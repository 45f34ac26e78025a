import { NETWORK, TEST_NETWORK, WIF } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from './bytes.ts'
import { NETWORKS } from './network.ts'
import { bip32, ecpair } from './secp256k1.ts'
import { BIP49_VECTOR } from './testing/bip-vectors.ts'
import { privateKeys } from './testing/keys.ts'
import { formatWif, InvalidWifError, parseWif } from './wif.ts'

/** The key of the Bitcoin wiki's page on the format. */
const WIKI_KEY = '0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d'
const WIKI_UNCOMPRESSED = '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ'
const WIKI_COMPRESSED = 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617'

function problemOf(text: string, network: (typeof NETWORKS)[number] = 'mainnet'): string {
  try {
    parseWif(text, network)
    return 'none'
  } catch (error) {
    return error instanceof InvalidWifError ? error.problem : String(error)
  }
}

describe('a private key in wallet import format', () => {
  it('is read and written as on the wiki', () => {
    expect(toHex(parseWif(WIKI_COMPRESSED, 'mainnet'))).toBe(WIKI_KEY)
    expect(formatWif(fromHex(WIKI_KEY), 'mainnet')).toBe(WIKI_COMPRESSED)
    expect(toHex(parseWif(`\n ${WIKI_COMPRESSED}\t`, 'mainnet'))).toBe(WIKI_KEY)
  })

  it('is read as in BIP-49', () => {
    const { wif, network, privateKey } = BIP49_VECTOR
    expect(toHex(parseWif(wif, network))).toBe(privateKey)
  })

  it('of every key and network is the one that an independent library writes', () => {
    fc.assert(
      fc.property(privateKeys, fc.constantFrom(...NETWORKS), (key, network) => {
        const theirs = WIF(network === 'mainnet' ? NETWORK : TEST_NETWORK)
        expect(formatWif(key, network)).toBe(theirs.encode(key))
        expect(parseWif(theirs.encode(key), network)).toEqual(key)
      }),
      { numRuns: 50 },
    )
  })
})

describe('what is refused', () => {
  it('is a key of another network', () => {
    const test = WIF(TEST_NETWORK).encode(fromHex(WIKI_KEY))
    expect(problemOf(test)).toBe('WRONG_NETWORK')
    for (const network of ['testnet4', 'signet', 'regtest'] as const) {
      expect(problemOf(test, network)).toBe('none')
      expect(problemOf(WIKI_COMPRESSED, network)).toBe('WRONG_NETWORK')
    }
  })

  it('is a key of an uncompressed public key', () => {
    expect(problemOf(WIKI_UNCOMPRESSED)).toBe('UNCOMPRESSED')
    expect(problemOf(WIKI_UNCOMPRESSED, 'regtest')).toBe('WRONG_NETWORK')
  })

  it('is a key that no curve has', () => {
    for (const key of ['00'.repeat(32), 'ff'.repeat(32)])
      expect(problemOf(WIF(NETWORK).encode(fromHex(key)))).toBe('MALFORMED')
  })

  it('is any other text, a typing error included', () => {
    const extended = bip32().fromSeed(new Uint8Array(32)).toBase58()
    for (const text of ['', 'x', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', extended])
      expect(problemOf(text), text).toBe('MALFORMED')
    for (let at = 0; at < WIKI_COMPRESSED.length; at++) {
      const other = WIKI_COMPRESSED[at] === '1' ? '2' : '1'
      const typo = WIKI_COMPRESSED.slice(0, at) + other + WIKI_COMPRESSED.slice(at + 1)
      expect(problemOf(typo), typo).toBe('MALFORMED')
    }
  })
})

describe('the curve of the key library', () => {
  it('is bound when a key is first read, and once', () => {
    expect(ecpair()).toBe(ecpair())
  })
})

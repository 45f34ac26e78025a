import { describe, expect, it, vi } from 'vitest'
import { encodeAddress } from './address.ts'
import { fromHex, toHex } from './bytes.ts'
import { derivationPath, deriveKey } from './derivation.ts'
import { mnemonicToSeed } from './mnemonic.ts'
import { parseAddressVectors, parseBip32Vectors, parseBip49Vector } from './testing/bip-vectors.ts'
import { readVectors, vectorsMissing } from './testing/vector-files.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const addressVectors = [
  parseBip49Vector(readVectors('bip49.mediawiki')),
  ...parseAddressVectors('p2wpkh', readVectors('bip84.mediawiki')),
  ...parseAddressVectors('p2tr', readVectors('bip86.mediawiki')),
]

describe.skipIf(vectorsMissing)('deriveKey against the vectors of the BIPs', () => {
  it('derives all 17 chains of BIP-32', () => {
    const vectors = parseBip32Vectors(readVectors('bip32.mediawiki'))
    expect(vectors).toHaveLength(17)
    for (const { seed, path, privateKey, publicKey } of vectors) {
      const key = deriveKey(fromHex(seed), path)
      expect([toHex(key.privateKey), toHex(key.publicKey)], path).toEqual([privateKey, publicKey])
    }
  })

  it('derives the 7 addresses of BIP-49, BIP-84 and BIP-86 from their phrases', async () => {
    expect(addressVectors).toHaveLength(7)
    for (const { mnemonic, path, type, network, publicKey, address } of addressVectors) {
      const key = deriveKey(await mnemonicToSeed(mnemonic, ''), path)
      expect(toHex(key.publicKey).slice(-publicKey.length), path).toBe(publicKey)
      expect(encodeAddress(key.publicKey, type, network), path).toBe(address)
    }
  })

  it('keeps the address of an account at the first receiving path of its BIP', () => {
    const paths = addressVectors.map(({ path }) => path)
    for (const { type, network } of addressVectors)
      expect(paths).toContain(derivationPath(type, network, 0))
  })
})

describe('derivationPath', () => {
  it('counts accounts, and has one coin type for every test network', () => {
    expect(derivationPath('p2tr', 'mainnet', 0)).toBe("m/86'/0'/0'/0/0")
    expect(derivationPath('p2tr', 'mainnet', 3)).toBe("m/86'/0'/3'/0/0")
    for (const network of ['testnet4', 'signet', 'regtest'] as const)
      expect(derivationPath('p2pkh', network, 1)).toBe("m/44'/1'/1'/0/0")
  })
})

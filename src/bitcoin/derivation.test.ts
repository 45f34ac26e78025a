import { describe, expect, it, vi } from 'vitest'
import { type AddressType, encodeAddress } from './address.ts'
import { fromHex, toHex } from './bytes.ts'
import {
  type DerivationLine,
  derivationPath,
  deriveKey,
  isAmongAddresses,
  isSamePlace,
  type Place,
} from './derivation.ts'
import { isPathTemplate } from './key-origin.ts'
import { mnemonicToSeed } from './mnemonic.ts'
import { keySpaceOf, type Network } from './network.ts'
import { BIP32_VECTORS, BIP49_VECTOR, BIP84_VECTORS, BIP86_VECTORS } from './testing/bip-vectors.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const addressVectors = [BIP49_VECTOR, ...BIP84_VECTORS, ...BIP86_VECTORS]

describe('deriveKey against the vectors of the BIPs', () => {
  it('derives all 17 chains of BIP-32', () => {
    expect(BIP32_VECTORS).toHaveLength(17)
    for (const { seed, path, privateKey, publicKey } of BIP32_VECTORS) {
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
      expect(paths).toContain(pathOf(type, 'accounts', 0, network))
  })
})

describe('derivationPath', () => {
  it('counts accounts, and has one coin type for every test network', () => {
    expect(pathOf('p2tr', 'accounts', 0, 'mainnet')).toBe("m/86'/0'/0'/0/0")
    expect(pathOf('p2tr', 'accounts', 3, 'mainnet')).toBe("m/86'/0'/3'/0/0")
    for (const network of ['testnet4', 'signet', 'regtest'] as const)
      expect(pathOf('p2pkh', 'accounts', 1, network)).toBe("m/44'/1'/1'/0/0")
  })

  it('counts receiving and change addresses within the first account', () => {
    expect(pathOf('p2wpkh', 'receive', 7, 'mainnet')).toBe("m/84'/0'/0'/0/7")
    expect(pathOf('p2wpkh', 'change', 7, 'mainnet')).toBe("m/84'/0'/0'/1/7")
    expect(pathOf('p2sh-p2wpkh', 'change', 0, 'signet')).toBe("m/49'/1'/0'/1/0")
  })

  it('finds every address of BIP-84 and BIP-86 along its lines', () => {
    const wanted = addressVectors.map(({ path }) => path)
    const found = (['accounts', 'receive', 'change'] as const).flatMap(line =>
      [0, 1].flatMap(index =>
        addressVectors.map(({ type, network }) => pathOf(type, line, index, network)),
      ),
    )
    expect(found).toEqual(expect.arrayContaining(wanted))
  })
})

describe('isSamePlace', () => {
  it('knows that account 0 begins with the first receiving address, and nothing else is the same', () => {
    const lines = ['accounts', 'receive', 'change'] as const
    const places = (['p2tr', 'p2wpkh'] as const).flatMap(addressType =>
      lines.flatMap(line => [0, 1].map(index => ({ addressType, line, index }))),
    )
    for (const a of places) {
      for (const b of places) {
        const isFirst = (place: Place) => place.line !== 'change' && place.index === 0
        const same = a === b || (a.addressType === b.addressType && isFirst(a) && isFirst(b))
        expect(isSamePlace(a, b), JSON.stringify([a, b])).toBe(same)
      }
    }
  })
})

function pathOf(addressType: AddressType, line: DerivationLine, index: number, network: Network) {
  return derivationPath({ addressType, line, index }, keySpaceOf(network))
}

describe('paths of other wallets', () => {
  const at = (line: DerivationLine, index = 0, addressType: AddressType = 'p2wpkh'): Place => {
    return { addressType, line, index }
  }

  it('have the index and the coin type of their network in the place of the letters', () => {
    expect(derivationPath(at("m/44'/c'/0'/0/i", 3), 'mainnet')).toBe("m/44'/0'/0'/0/3")
    expect(derivationPath(at("m/44'/c'/0'/0/i", 3), 'test')).toBe("m/44'/1'/0'/0/3")
    expect(derivationPath(at("m/0'/1'/i'", 12), 'test')).toBe("m/0'/1'/12'")
  })

  it.each(["m/44'/c'/0'/0/i", "m/0'/0'/i'", 'm/0/i', "m/84'/c'/2147483647'/1/i", 'm/i'])(
    'may be %s',
    path => expect(isPathTemplate(path)).toBe(true),
  )

  it.each([
    ...[
      '',
      'm',
      'm/',
      "m/44'/c'/0'/0/0",
      'm/i/i',
      "m/c'/c'/i",
      'm/c/i',
      'm//i',
      '/i',
      'i',
      "44'/i",
    ],
    ...[
      "m/2147483648'/i",
      'm/01/i',
      'm/-1/i',
      'm/1.5/i',
      'm/i/',
      ' m/i',
      'm/i\n',
      "m/0''/i",
      'm/x/i',
    ],
    ...[`m${'/0'.repeat(8)}/i`, `m/${'0'.repeat(200)}/i`, null, 7, {}],
  ])('may not be %j', path => expect(isPathTemplate(path)).toBe(false))

  it('are one address only where type and path are the same', () => {
    const legacy = at("m/44'/c'/0'/0/i")
    expect(isSamePlace(legacy, at('receive', 0, 'p2pkh'))).toBe(false)
    expect(isSamePlace(at("m/44'/c'/0'/0/i", 0, 'p2pkh'), at('receive', 0, 'p2pkh'))).toBe(true)
    expect(isSamePlace(at("m/84'/0'/0'/0/i"), at('receive'))).toBe(false)
  })

  it('make an account with many addresses where they end as those of BIP-44', () => {
    const first = at("m/0'/0/i")
    expect(isAmongAddresses(at("m/0'/1/i", 9), first)).toBe(true)
    expect(isAmongAddresses(at("m/0'/1/i", 9, 'p2pkh'), first)).toBe(false)
    expect(isAmongAddresses(at("m/0'/1/i", 9), at("m/0'/0/i", 1))).toBe(false)
    expect(isAmongAddresses(at("m/0'/0'/i'", 0), at("m/0'/0'/i'", 0))).toBe(false)
    expect(isAmongAddresses(at('change', 4), at('accounts'))).toBe(true)
    expect(isAmongAddresses(at('change', 4), at('accounts', 1))).toBe(false)
  })
})

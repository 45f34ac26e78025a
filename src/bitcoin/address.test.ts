import {
  Address,
  NETWORK,
  OutScript,
  p2pkh,
  p2sh,
  p2tr,
  p2wpkh,
  TEST_NETWORK,
} from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  addressOfScript,
  encodeAddress,
  InvalidAddressError,
  parseAddress,
  scriptPubKeyOf,
  typeOfScript,
} from './address.ts'
import { fromHex, toHex } from './bytes.ts'
import { NETWORKS, type Network } from './network.ts'
import { publicKeyOf } from './secp256k1.ts'
import { privateKeys } from './testing/keys.ts'
import bip350 from './testing/vectors/bip350.json' with { type: 'json' }

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const TYPES = ['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh'] as const
const SCURE_NETWORKS = {
  mainnet: NETWORK,
  testnet4: TEST_NETWORK,
  signet: TEST_NETWORK,
  regtest: { ...TEST_NETWORK, bech32: 'bcrt' },
}

function problemOf(text: string, network: Network): string {
  try {
    return parseAddress(text, network).type
  } catch (error) {
    if (error instanceof InvalidAddressError) return error.problem
    throw error
  }
}

function scurePayment(type: (typeof TYPES)[number], publicKey: Uint8Array, network: Network) {
  const scureNetwork = SCURE_NETWORKS[network]
  if (type === 'p2tr') return p2tr(publicKey.slice(1), undefined, scureNetwork)
  if (type === 'p2pkh') return p2pkh(publicKey, scureNetwork)
  const witness = p2wpkh(publicKey, scureNetwork)
  return type === 'p2wpkh' ? witness : p2sh(witness, scureNetwork)
}

describe('encodeAddress and parseAddress', () => {
  it('agree with an independent library on every type and network', () => {
    fc.assert(
      fc.property(
        privateKeys,
        fc.constantFrom(...TYPES),
        fc.constantFrom(...NETWORKS),
        (key, type, network) => {
          const publicKey = publicKeyOf(key)
          const expected = scurePayment(type, publicKey, network)
          const address = encodeAddress(publicKey, type, network)
          expect(address).toBe(expected.address)
          expect(toHex(scriptPubKeyOf(publicKey, type))).toBe(toHex(expected.script))
          const parsed = parseAddress(address, network)
          expect(parsed.address).toBe(address)
          expect(toHex(parsed.scriptPubKey)).toBe(toHex(expected.script))
          expect(parsed.type).toBe(type === 'p2sh-p2wpkh' ? 'p2sh' : type)
          expect(addressOfScript(parsed.scriptPubKey, network)).toBe(address)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('refuse every address with one character changed, removed, doubled or in the other case', () => {
    const address = 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'
    const base58 = '1JqDybm2nWTENrHvMyafbSXXtTk5Uv5QAn'
    for (const valid of [address, base58])
      for (let i = 0; i < valid.length; i++) {
        const char = valid.charAt(i)
        const other = char === 'q' ? 'p' : 'q'
        const swapped = char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase()
        for (const put of [other, '', char + char, ...(swapped === char ? [] : [swapped])])
          expect(problemOf(valid.slice(0, i) + put + valid.slice(i + 1), 'mainnet')).toBe(
            'malformed',
          )
      }
  })
})

describe('parseAddress', () => {
  const address = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'

  it.each([
    '',
    ` ${address}`,
    `${address} `,
    `${address}\n`,
    `\u200b${address}`,
    `${address}\ufeff`,
    `bitcoin:${address}`,
    'lnbc1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdpl2pkx2ctnv5sxxmmwwd5kgetjypeh2ursdae8g6twvus8g6rfwvs8qun0dfjkxaq8rkx3yf5tcsyz3d73gafnh3cax9rn449d9p5uxz9ezhhypd0elx87sjle52x86fux2ypatgddc6k63n7erqz25le42c4u4ecky03ylcqca784w',
    'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
    'M8T1B2Z97gVdvmfkQcAtYbEepune1tzGua',
    'KyZpNDKnfs94vbrwhJneDi77V6jF64PWPF8x5cdJb8ifgg2DUc9d',
  ])('refuses %j', text => {
    expect(problemOf(text, 'mainnet')).toBe('malformed')
  })

  it('takes a bech32 address in capitals, as QR codes have it, and gives its usual spelling', () => {
    expect(parseAddress(address.toUpperCase(), 'mainnet').address).toBe(address)
  })

  it.each([
    [address, 'testnet4', 'Bitcoin mainnet'],
    [address, 'regtest', 'Bitcoin mainnet'],
    ['1JqDybm2nWTENrHvMyafbSXXtTk5Uv5QAn', 'signet', 'Bitcoin mainnet'],
    ['2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2', 'mainnet', 'a Bitcoin test network'],
    ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'mainnet', 'testnet or signet'],
    ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'regtest', 'testnet or signet'],
    ['bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 'testnet4', 'regtest'],
  ] as const)('says whose network %s is of when asked for %s', (text, network, owner) => {
    expect(problemOf(text, network)).toBe('wrong-network')
    expect(() => parseAddress(text, network)).toThrow(owner)
  })

  it('refuses a taproot address whose key is not on the curve, which some libraries take', () => {
    const offCurve = fromHex(`5120${'00'.repeat(31)}05`)
    const text = addressOfScript(offCurve, 'mainnet')
    expect(text).toMatch(/^bc1p/)
    expect(problemOf(text ?? '', 'mainnet')).toBe('malformed')
  })

  it('refuses pay-to-anchor, which is taproot with another length', () => {
    expect(problemOf('bc1pfeessrawgf', 'mainnet')).toBe('unknown-version')
  })
})

describe('parseAddress against the vectors of BIP-350 and BIP-173', () => {
  const { valid, invalid } = bip350.addresses

  it('takes the valid addresses of today and names the versions of tomorrow', () => {
    expect(valid).toHaveLength(8)
    for (const { address, scriptPubKey } of valid) {
      const network = address.toLowerCase().startsWith('tb') ? 'signet' : 'mainnet'
      if (typeOfScript(fromHex(scriptPubKey)) === null)
        expect(problemOf(address, network), address).toBe('unknown-version')
      else expect(toHex(parseAddress(address, network).scriptPubKey), address).toBe(scriptPubKey)
    }
  })

  it('refuses all 15 invalid addresses on every network', () => {
    expect(invalid).toHaveLength(15)
    for (const text of invalid)
      for (const network of NETWORKS) expect(problemOf(text, network), text).toBe('malformed')
  })

  it('refuses every other bech32m string of the BIP', () => {
    const strings = [...bip350.bech32m.valid, ...bip350.bech32m.invalid]
    expect(strings).toHaveLength(21)
    for (const text of strings) expect(problemOf(text, 'mainnet'), text).toBe('malformed')
  })
})

describe('addressOfScript', () => {
  it('agrees with an independent library on arbitrary scripts of the known shapes', () => {
    const shapes = fc.oneof(
      fc
        .uint8Array({ minLength: 20, maxLength: 20 })
        .map(hash => OutScript.encode({ type: 'pkh', hash })),
      fc
        .uint8Array({ minLength: 20, maxLength: 20 })
        .map(hash => OutScript.encode({ type: 'sh', hash })),
      fc
        .uint8Array({ minLength: 20, maxLength: 20 })
        .map(hash => OutScript.encode({ type: 'wpkh', hash })),
      fc
        .uint8Array({ minLength: 32, maxLength: 32 })
        .map(hash => OutScript.encode({ type: 'wsh', hash })),
    )
    fc.assert(
      fc.property(shapes, fc.constantFrom(...NETWORKS), (script, network) => {
        const expected = Address(SCURE_NETWORKS[network]).encode(OutScript.decode(script))
        expect(addressOfScript(script, network)).toBe(expected)
      }),
    )
  })

  it.each([
    '',
    '6a',
    '51',
    '0014',
    `0014${'00'.repeat(19)}`,
    `76a914${'00'.repeat(20)}88ad`,
    '51024e73',
    `5220${'00'.repeat(32)}`,
  ])('is null for the script %s', script => {
    expect(addressOfScript(fromHex(script), 'mainnet')).toBeNull()
  })
})

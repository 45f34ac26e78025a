import { bech32, bech32m } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { InvalidAddressError } from '../address.ts'
import { concatBytes, fromHex } from '../bytes.ts'
import { SENDING_VECTORS } from '../testing/silent-payment-vectors.ts'
import { isSilentPaymentAddress, parseSilentPaymentAddress } from './silent-payment-address.ts'

const [{ address = '', scanKey = '', spendKey = '' } = {}] = SENDING_VECTORS[0]?.receivers ?? []
const KEYS = concatBytes(fromHex(scanKey), fromHex(spendKey))

describe('a silent payment address', () => {
  it('is taken in capitals, and spelled in one way', () => {
    const capitals = address.toUpperCase()
    expect(isSilentPaymentAddress(capitals)).toBe(true)
    expect(parseSilentPaymentAddress(capitals, 'mainnet').address).toBe(address)
  })

  it.each(['testnet4', 'signet', 'regtest'] as const)('of %s begins with tsp', network => {
    const test = encode('tsp', 0, KEYS)
    expect(parseSilentPaymentAddress(test, network).address).toBe(test)
    expectProblem(() => parseSilentPaymentAddress(address, network), 'wrong-network')
    expectProblem(() => parseSilentPaymentAddress(test, 'mainnet'), 'wrong-network')
  })

  it.each([1, 2, 30])('of version %i may say more than the two keys', version => {
    for (const more of [0, 1, 7, 33, 500]) {
      const later = encode('sp', version, concatBytes(KEYS, new Uint8Array(more).fill(7)))
      expect(parseSilentPaymentAddress(later, 'mainnet')).toEqual({
        address: later,
        version,
        scanKey: KEYS.slice(0, 33),
        spendKey: KEYS.slice(33),
      })
    }
    const short = encode('sp', version, KEYS.slice(0, -1))
    expectProblem(() => parseSilentPaymentAddress(short, 'mainnet'), 'malformed')
  })

  it('of version 0 holds the two keys and nothing else', () => {
    expect(encode('sp', 0, KEYS)).toBe(address)
    for (const data of [KEYS.slice(0, -1), concatBytes(KEYS, Uint8Array.of(0)), new Uint8Array()])
      expectProblem(() => parseSilentPaymentAddress(encode('sp', 0, data), 'mainnet'), 'malformed')
  })

  it('of version 31 is refused', () => {
    expectProblem(
      () => parseSilentPaymentAddress(encode('sp', 31, KEYS), 'mainnet'),
      'unknown-version',
    )
  })

  it('is at most 1,023 characters long', () => {
    const longest = encode('sp', 1, concatBytes(KEYS, new Uint8Array(567)))
    expect(longest.length).toBeLessThanOrEqual(1023)
    expect(parseSilentPaymentAddress(longest, 'mainnet').version).toBe(1)
    const longer = encode('sp', 1, concatBytes(KEYS, new Uint8Array(569)))
    expect(longer.length).toBeGreaterThan(1023)
    expectProblem(() => parseSilentPaymentAddress(longer, 'mainnet'), 'malformed')
  })

  it('has keys that are on the curve and compressed', () => {
    // BIP-340: no point has this x; 4 begins an uncompressed key.
    const notOnCurve = `02${'eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34'}`
    for (const data of [
      concatBytes(fromHex(notOnCurve), KEYS.slice(33)),
      concatBytes(KEYS.slice(0, 33), fromHex(notOnCurve)),
      concatBytes(Uint8Array.of(4), KEYS.slice(1)),
      new Uint8Array(66),
    ])
      expectProblem(() => parseSilentPaymentAddress(encode('sp', 0, data), 'mainnet'), 'malformed')
  })

  it('with any character changed, left out or added is refused', () => {
    for (let at = 0; at < address.length; at++) {
      const changed = address[at] === 'q' ? 'p' : 'q'
      for (const text of [
        address.slice(0, at) + changed + address.slice(at + 1),
        address.slice(0, at) + address.slice(at + 1),
        `${address.slice(0, at)}q${address.slice(at)}`,
      ])
        expect(() => parseSilentPaymentAddress(text, 'mainnet')).toThrow(InvalidAddressError)
    }
  })

  it.each([
    ['mixed case', address.replace('sp1qq', 'sp1Qq')],
    ['the older checksum', bech32.encode('sp', [0, ...bech32.toWords(KEYS)], 1023)],
    ['spaces', ` ${address}`],
    ['another prefix', encode('sprt', 0, KEYS)],
    ['no data', bech32m.encode('sp', [], 1023)],
    ['an address', 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'],
    ['nothing', ''],
  ])('with %s is refused', (_, text) => {
    expectProblem(() => parseSilentPaymentAddress(text, 'mainnet'), 'malformed')
  })
})

describe('what calls itself a silent payment address', () => {
  it.each(['sp1', 'tsp1qqq', 'SP1QQ'])('%s does', text => {
    expect(isSilentPaymentAddress(text)).toBe(true)
  })

  it.each([
    '',
    'sp',
    'sp2qq',
    'bc1qqq',
    'tb1qqq',
    'Sp1qq',
    '1sp1',
    'satoshi@sp1.example',
    'sp1.example',
  ])('%j does not', text => {
    expect(isSilentPaymentAddress(text)).toBe(false)
  })
})

function encode(prefix: string, version: number, data: Uint8Array): string {
  return bech32m.encode(prefix, [version, ...bech32m.toWords(data)], false)
}

function expectProblem(act: () => unknown, problem: InvalidAddressError['problem']): void {
  expect(act).toThrow(InvalidAddressError)
  expect(act).toThrow(expect.objectContaining({ problem }))
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatPaymentLink,
  InvalidPaymentLinkError,
  isPaymentLink,
  type PaymentRequest,
  parsePaymentLink,
} from './bip321.ts'
import bip321 from './testing/vectors/bip321.json' with { type: 'json' }

const ADDRESS = '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W'
const NOTHING = {
  addresses: [ADDRESS],
  silentPayments: [],
  otherInstructions: [],
  amount: null,
  label: null,
  message: null,
}

function problemOf(link: string): unknown {
  try {
    return parsePaymentLink(link)
  } catch (error) {
    if (error instanceof InvalidPaymentLinkError) return [error.problem, error.parameter]
    throw error
  }
}

describe('an example of BIP-321', () => {
  it.each(bip321.valid)('is read as its text says: $text', ({ uri, asks }) => {
    const { amount, ...others } = { ...NOTHING, addresses: [], ...asks }
    expect(parsePaymentLink(uri)).toEqual({
      ...others,
      amount: amount === null ? null : BigInt(amount),
    })
  })
  it.each(bip321.invalid)('is refused: $text', ({ uri, problem }) => {
    expect(problemOf(uri)).toEqual(problem)
  })
})

describe('a BIP-321 link', () => {
  it('is refused when it requires anything, a proof of payment or a known key too', () => {
    expect(problemOf(`bitcoin:${ADDRESS}?REQ-pop=1`)).toEqual(['required', 'REQ-pop'])
    expect(problemOf(`bitcoin:${ADDRESS}?req-amount=1`)).toEqual(['required', 'req-amount'])
  })
  it('may say what is unknown several times, broken or with no value', () => {
    expect(parsePaymentLink(`bitcoin:${ADDRESS}?address=1A&x=%&x=%&&y&lightning=l%`)).toEqual({
      ...NOTHING,
      otherInstructions: ['lightning'],
    })
  })
  it('has a scheme in any case, and capital letters from a QR code', () => {
    expect(isPaymentLink('BitCoin:x')).toBe(true)
    expect(isPaymentLink('bitcoincash:x')).toBe(false)
    // The address is BIP-173's.
    expect(
      parsePaymentLink('BITCOIN:BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4?AMOUNT=0.5&SP=SP1QX'),
    ).toEqual({
      ...NOTHING,
      addresses: ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
      silentPayments: ['sp1qx'],
      amount: 50_000_000n,
    })
  })
  it('holds each address below the key of its network', () => {
    expect(
      parsePaymentLink('bitcoin:?bcrt=bcrt1q&tb=tb1p&tsp=tsp1q%61&bc=%42C1Q').addresses,
    ).toEqual(['bcrt1q', 'tb1p', 'bc1q'])
    for (const parameter of ['bc=', 'bc', 'bc=bcrt1q', 'bc=Bc1q', `bc=${ADDRESS}`])
      expect(problemOf(`bitcoin:?${parameter}`), parameter).toEqual(['address', 'bc'])
    expect(problemOf('bitcoin:?sp=tsp1q')).toEqual(['address', 'sp'])
    expect(problemOf('bitcoin:?tb=%')).toEqual(['encoding', 'tb'])
  })
  it('has an amount in plain decimal BTC, exact to the sat', () => {
    const amountOf = (text: string) => problemOf(`bitcoin:${ADDRESS}?amount=${text}`)
    for (const [text, amount] of [
      ['50.00', 5_000_000_000n],
      ['50.', 5_000_000_000n],
      ['.5', 50_000_000n],
      ['007', 700_000_000n],
      ['0.00000001', 1n],
      ['0.1000000000', 10_000_000n],
      ['20999999.9769', 2_099_999_997_690_000n],
    ] as const) {
      expect(amountOf(text), text).toMatchObject({ amount })
    }
    for (const text of ['50,000.00', '', '0', '-1', '1e3', '0.000000001', '1%', '.', '21000001']) {
      const problem = text.includes('%') ? ['encoding', 'amount'] : ['amount', '']
      expect(amountOf(text), text).toEqual(problem)
    }
  })
  it('is refused when it says the same thing twice, has broken escapes, or no address', () => {
    expect(problemOf(`bitcoin:${ADDRESS}?message=a&message=a`)).toEqual(['duplicate', 'message'])
    expect(problemOf(`bitcoin:${ADDRESS}?pop=a&POP=a`)).toEqual(['duplicate', 'pop'])
    expect(problemOf(`bitcoin:${ADDRESS}?label=a&Label=b`)).toEqual(['duplicate', 'label'])
    expect(problemOf(`bitcoin:${ADDRESS}?label=%E0%A4%A`)).toEqual(['encoding', 'label'])
    expect(problemOf('bitcoin:')).toEqual(['no-address', ''])
    expect(problemOf('bitcoin:?amount=1')).toEqual(['no-address', ''])
  })
  it('says the same after being written and read', () => {
    const text = fc.option(fc.string({ unit: 'grapheme' }), { nil: null })
    const request: fc.Arbitrary<PaymentRequest> = fc.record({
      address: fc.constantFrom(
        ADDRESS,
        'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
        '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2',
      ),
      amount: fc.option(fc.bigInt(1n, 2_100_000_000_000_000n), { nil: null }),
      label: text,
      message: text,
    })
    fc.assert(
      fc.property(request, asked => {
        const { address, ...others } = asked
        expect(parsePaymentLink(formatPaymentLink(asked))).toEqual({
          ...NOTHING,
          ...others,
          addresses: [address],
        })
      }),
    )
  })
  it('of a bare bech32 address is in capitals, of any other as it is', () => {
    const bare = (address: string) =>
      formatPaymentLink({ address, amount: null, label: null, message: null })
    expect(bare('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')).toBe(
      'BITCOIN:TB1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KXPJZSX',
    )
    expect(bare(ADDRESS)).toBe(`bitcoin:${ADDRESS}`)
  })
})

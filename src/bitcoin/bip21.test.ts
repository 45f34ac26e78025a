import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatPaymentLink,
  InvalidPaymentLinkError,
  isPaymentLink,
  type PaymentRequest,
  parsePaymentLink,
} from './bip21.ts'

// The examples of BIP-21, with what its text says about each.
const ADDRESS = '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W'
const NOTHING = { amount: null, label: null, message: null }

function problemOf(link: string): unknown {
  try {
    return parsePaymentLink(link)
  } catch (error) {
    if (error instanceof InvalidPaymentLinkError) return [error.problem, error.parameter]
    throw error
  }
}

describe('a BIP-21 link', () => {
  it('can be just the address', () => {
    expect(parsePaymentLink(`bitcoin:${ADDRESS}`)).toEqual({ address: ADDRESS, ...NOTHING })
  })
  it('can name the receiver', () => {
    expect(parsePaymentLink(`bitcoin:${ADDRESS}?label=Luke-Jr`)).toEqual({
      address: ADDRESS,
      ...NOTHING,
      label: 'Luke-Jr',
    })
  })
  it('can ask for 20.30 BTC', () => {
    expect(parsePaymentLink(`bitcoin:${ADDRESS}?amount=20.3&label=Luke-Jr`)).toEqual({
      address: ADDRESS,
      amount: 2_030_000_000n,
      label: 'Luke-Jr',
      message: null,
    })
  })
  it('can say what it is for', () => {
    const link = `bitcoin:${ADDRESS}?amount=50&label=Luke-Jr&message=Donation%20for%20project%20xyz`
    expect(parsePaymentLink(link)).toEqual({
      address: ADDRESS,
      amount: 5_000_000_000n,
      label: 'Luke-Jr',
      message: 'Donation for project xyz',
    })
  })
  it('is refused when it requires something unknown', () => {
    expect(
      problemOf(`bitcoin:${ADDRESS}?req-somethingyoudontunderstand=50&req-somethingelse=999`),
    ).toEqual(['required', 'req-somethingyoudontunderstand'])
    expect(problemOf(`bitcoin:${ADDRESS}?REQ-pop=1`)).toEqual(['required', 'REQ-pop'])
  })
  it('is taken when something unknown is not required, further addresses among it', () => {
    const address = { address: ADDRESS, ...NOTHING }
    expect(
      parsePaymentLink(
        `bitcoin:${ADDRESS}?somethingyoudontunderstand=50&somethingelseyoudontget=999`,
      ),
    ).toEqual(address)
    expect(parsePaymentLink(`bitcoin:${ADDRESS}?address=1A&bc=bc1q&bc=bc1p&lightning=l%`)).toEqual(
      address,
    )
  })
  it('has a scheme in any case, and capital letters from a QR code', () => {
    expect(isPaymentLink('BitCoin:x')).toBe(true)
    expect(isPaymentLink('bitcoincash:x')).toBe(false)
    // The address is BIP-173's.
    expect(
      parsePaymentLink('BITCOIN:BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4?AMOUNT=0.5'),
    ).toEqual({
      address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      ...NOTHING,
      amount: 50_000_000n,
    })
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
    expect(problemOf(`bitcoin:${ADDRESS}?amount=1&amount=2`)).toEqual(['duplicate', 'amount'])
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
        expect(parsePaymentLink(formatPaymentLink(asked))).toEqual(asked)
      }),
    )
  })
  it('of a bare bech32 address is in capitals, of any other as it is', () => {
    const bare = (address: string) => formatPaymentLink({ address, ...NOTHING })
    expect(bare('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')).toBe(
      'BITCOIN:TB1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KXPJZSX',
    )
    expect(bare(ADDRESS)).toBe(`bitcoin:${ADDRESS}`)
  })
})

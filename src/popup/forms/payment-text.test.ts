import { describe, expect, it } from 'vitest'
import { parsePaymentText } from './payment-text.ts'

// BIP-173's example.
const SHOP = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

describe('a text that was pasted or scanned', () => {
  it('is an address, or a link of which all is taken', () => {
    expect(parsePaymentText(`\n ${SHOP} `)).toEqual({ to: SHOP, amountBtc: '', label: '' })
    expect(
      parsePaymentText(`bitcoin:${SHOP}?amount=0.0210&label=Bakery&message=Two%20loaves`),
    ).toEqual({ to: SHOP, amountBtc: '0.021', label: 'Bakery: Two loaves' })
    expect(parsePaymentText(`BITCOIN:${SHOP.toUpperCase()}`).to).toBe(SHOP)
  })
  it('is refused in words when the link is not to be paid', () => {
    expect(() => parsePaymentText(`bitcoin:${SHOP}?req-pop=x`)).toThrow(
      'needs something that Satchel does not know: req-pop',
    )
    expect(() => parsePaymentText(`bitcoin:${SHOP}?amount=1&amount=2`)).toThrow('says amount twice')
    expect(() => parsePaymentText('bitcoin:?amount=1')).toThrow('no Bitcoin address')
  })
})

import { describe, expect, it } from 'vitest'
import { parsePaymentText } from './payment-text.ts'

// BIP-173's example.
const SHOP = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

// Of BIP-352's vectors.
const SILENT =
  'sp1qqgste7k9hx0qftg6qmwlkqtwuy6cycyavzmzj85c6qdfhjdpdjtdgqjuexzk6murw56suy3e0rd2cgqvycxttddwsvgxe2usfpxumr70xc9pkqwv'

const readText = (text: string) => parsePaymentText(text, 'mainnet')

describe('a text that was pasted or scanned', () => {
  it('is an address, or a link of which all is taken', () => {
    expect(readText(`\n ${SHOP} `)).toEqual({ to: SHOP, amountBtc: '', label: '' })
    expect(readText(`bitcoin:${SHOP}?amount=0.0210&label=Bakery&message=Two%20loaves`)).toEqual({
      to: SHOP,
      amountBtc: '0.021',
      label: 'Bakery: Two loaves',
    })
    expect(readText(`BITCOIN:${SHOP.toUpperCase()}`).to).toBe(SHOP)
  })
  it('is the address or the link that a person sees, whatever came along where it was copied', () => {
    const [head, rest] = [SHOP.slice(0, 21), SHOP.slice(21)]
    expect(readText(`${head}\n${rest}`).to).toBe(SHOP)
    expect(readText(`${head} ${rest}`).to).toBe(SHOP)
    // A mark before it turns it from left to right, others say where a line may break.
    expect(readText(`\u200e${head}\u200b${rest}\u2069\ufeff`).to).toBe(SHOP)
    const label = 'Two 👨\u200d👩\u200d👧 loaves'
    expect(readText(`\u2066bitcoin:${SHOP}?label=${label}\u2069`)).toEqual({
      ...{ to: SHOP, amountBtc: '', label },
    })
  })
  it('is refused in words when the link is not to be paid', () => {
    expect(() => readText(`bitcoin:${SHOP}?req-pop=x`)).toThrow(
      'needs something that Satchel does not know: req-pop',
    )
    expect(() => readText(`bitcoin:${SHOP}?amount=1&amount=2`)).toThrow('says amount twice')
    expect(() => readText('bitcoin:?amount=1')).toThrow('no Bitcoin address')
    expect(() => readText(`bitcoin:?tb=${SHOP}`)).toThrow('under tb that does not belong')
  })
  it('of a link with several addresses is the first that can be paid on the network in use', () => {
    const link = `bitcoin:?tb=tb1qghfhmd4zh7ncpmxl3qzhmq566jk8ckq4gafnmq&bc=bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs&bc=${SHOP}`
    expect(parsePaymentText(link, 'mainnet').to).toBe(SHOP)
    expect(parsePaymentText(link, 'signet').to).toBe('tb1qghfhmd4zh7ncpmxl3qzhmq566jk8ckq4gafnmq')
    // None of it can be paid: its field says what is wrong with the first.
    expect(parsePaymentText(link, 'regtest').to).toBe('tb1qghfhmd4zh7ncpmxl3qzhmq566jk8ckq4gafnmq')
  })
  it('is refused in words when the link asks for what this wallet does not pay, and paid on the chain where it can be', () => {
    expect(() => readText('bitcoin:?lightning=lnbc420bogusinvoice')).toThrow('only over Lightning')
    expect(() => readText('bitcoin:?lno=lno1bogusoffer')).toThrow('only over Lightning')
    expect(readText(`bitcoin:${SHOP}?lightning=lnbc420bogusinvoice`).to).toBe(SHOP)
  })
  it('is a silent payment address only where the link has no address that can be paid', () => {
    const link = `lno=lno1bogusoffer&sp=${SILENT}`
    expect(readText(`bitcoin:?${link}`).to).toBe(SILENT)
    expect(readText(`bitcoin:${SILENT}?amount=1`).to).toBe(SILENT)
    expect(readText(`bitcoin:?${link.toUpperCase()}`).to).toBe(SILENT)
    expect(readText(`bitcoin:?${link}&bc=${SHOP}`).to).toBe(SHOP)
    expect(readText(`bitcoin:?${link}&tb=tb1qghfhmd4zh7ncpmxl3qzhmq566jk8ckq4gafnmq`).to).toBe(
      SILENT,
    )
  })
})

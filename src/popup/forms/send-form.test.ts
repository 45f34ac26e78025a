import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  emptyForm,
  emptyRecipient,
  parseForm,
  type SendContext,
  type SendForm,
} from './send-form.ts'
import { convertAmount, parseAmount } from './typed-amount.ts'

// BIP-173’s examples, and the address of the first block.
const SHOP = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const LEGACY = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const TEST = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'

const CONTEXT: SendContext = {
  network: 'mainnet',
  rates: { fastest: 12.5, halfHour: 8, hour: 3, minimum: 1 },
  available: 5_000_000n,
  spendable: ['a', 'b'],
  hasKey: true,
}

function formWith(changes: Partial<SendForm>, to = SHOP, amount = '0.0102'): SendForm {
  return { ...emptyForm(), recipients: [{ to, amount, max: false }], ...changes }
}

function firstErrors(form: SendForm, context = CONTEXT) {
  return parseForm(form, context).errors.recipients[0]
}

describe('the form of a payment', () => {
  it('becomes the payment that it says, recipients in their order, the public note after them', () => {
    const recipients = [
      { to: SHOP, amount: '0.0102', max: false },
      { to: ` ${LEGACY} `, amount: '', max: true },
    ]
    expect(
      parseForm(formWith({ recipients, memo: 'Thanks', label: ' rent ' }), CONTEXT).draft,
    ).toEqual({
      recipients: [
        { to: SHOP, sats: '1020000' },
        { to: LEGACY, sats: 'max' },
      ],
      memo: { text: 'Thanks', position: 2 },
      feeRate: 8,
      coins: null,
      label: 'rent',
    })
  })

  it('says nothing of amounts where the chosen coins are gone', () => {
    const { draft, errors } = parseForm(formWith({ coins: ['gone'] }), {
      ...CONTEXT,
      available: 0n,
    })
    expect(draft).toBeNull()
    expect(errors.coins).toBe('A chosen coin cannot be spent any more. Choose again.')
    expect(errors.recipients).toEqual([{ to: null, amount: null }])
  })

  it('keeps a note on one line, in the letters that it is stored in', () => {
    // An é of two characters, and a mark that a keyboard from right to left leaves.
    const { draft } = parseForm(formWith({ label: 'cafe\u0301 \u200frent' }), CONTEXT)
    expect(draft?.label).toBe('caf\u00e9  rent')
  })

  it('asks for what is missing', () => {
    const { draft, errors } = parseForm(emptyForm(), CONTEXT)
    expect(draft).toBeNull()
    expect(errors.recipients).toEqual([
      { to: 'Whom do you pay? Enter an address.', amount: 'How much? Enter an amount.' },
    ])
  })

  it('names the network that an address is for', () => {
    expect(firstErrors(formWith({}, TEST))?.to).toBe(
      'This address is for Testnet4, Signet, and you are on Mainnet.',
    )
    expect(firstErrors(formWith({}, SHOP), { ...CONTEXT, network: 'signet' })?.to).toContain(
      'is for Mainnet, and you are on Signet',
    )
    expect(firstErrors(formWith({}, `${SHOP}x`))?.to).toContain('not a Bitcoin address')
    // BIP-350's address of segwit version 16.
    expect(firstErrors(formWith({}, 'BC1SW50QGDZ25J'))?.to).toContain('Nobody can spend')
  })

  it('knows the least that the network takes for each kind of address', () => {
    const inSats = (to: string, amount: string) =>
      firstErrors(formWith({ unit: 'sats' }, to, amount))?.amount
    // Bitcoin Core's dust limits at 3 sat/vB: 294 for P2WPKH, 546 for P2PKH.
    expect(inSats(SHOP, '293')).toContain('at least 294 sats')
    expect(inSats(SHOP, '294')).toBeNull()
    expect(inSats(LEGACY, '545')).toContain('at least 546 sats')
    expect(inSats(LEGACY, '546')).toBeNull()
  })

  it('says when it is too much, all recipients together', () => {
    const two = [
      { to: SHOP, amount: '0.03', max: false },
      { to: LEGACY, amount: '0.03', max: false },
    ]
    const { draft, errors } = parseForm(formWith({ recipients: two }), CONTEXT)
    expect(draft).toBeNull()
    expect(errors.recipients[1]?.amount).toContain('Too much: 0.05 BTC')
    expect(firstErrors(formWith({}, SHOP, '0.05'))?.amount).toContain('Use Max')
    expect(firstErrors(formWith({}, SHOP, '0.04999999'))?.amount).toBeNull()
    expect(firstErrors(formWith({}, SHOP, '7'), { ...CONTEXT, available: null })?.amount).toBeNull()
  })

  it('never takes a comma for a point or for nothing', () => {
    for (const unit of ['btc', 'sats'] as const) {
      for (const text of ['0,01', '1,234', '1,234.5', ',5']) {
        expect(parseAmount(text, unit)).toBeNull()
      }
    }
    expect(firstErrors(formWith({}, SHOP, '0,01'))?.amount).toContain('Without commas')
  })

  it('reads every amount exactly, in either unit, with blanks between digits or none', () => {
    const sats = fc.bigInt(1n, 2_100_000_000_000_000n)
    fc.assert(
      fc.property(sats, amount => {
        const digits = amount.toString().padStart(9, '0')
        const btc = `${digits.slice(0, -8)}.${digits.slice(-8)}`
        expect(parseAmount(btc, 'btc')).toBe(amount)
        expect(
          parseAmount(`${btc.slice(0, -6)} ${btc.slice(-6, -3)} ${btc.slice(-3)}`, 'btc'),
        ).toBe(amount)
        expect(convertAmount(convertAmount(btc, 'btc', 'sats'), 'sats', 'btc')).toBe(
          btc.replace(/\.?0+$/, ''),
        )
      }),
    )
  })

  it('takes the chosen fee rate, or a valid one of one’s own', () => {
    expect(parseForm(formWith({ fee: 'hour' }), CONTEXT).draft?.feeRate).toBe(3)
    expect(
      parseForm(formWith({ fee: 'custom', customRate: ' 2.5 ' }), CONTEXT).draft?.feeRate,
    ).toBe(2.5)
    for (const customRate of ['', '0', '0,5', '1.2345', '10001', '-1']) {
      expect(parseForm(formWith({ fee: 'custom', customRate }), CONTEXT).draft).toBeNull()
    }
    expect(parseForm(formWith({}), { ...CONTEXT, rates: null }).draft).toBeNull()
  })

  it('takes a name in the place of an address, and says what is none', () => {
    const to = (text: string) =>
      parseForm(formWith({ recipients: [{ to: text, amount: '0.00001', max: false }] }), CONTEXT)
    expect(to('₿alice@example.com').draft?.recipients[0]?.to).toBe('₿alice@example.com')
    expect(to('alice@example.com').errors.recipients[0]).toEqual({ to: null, amount: null })
    for (const text of ['alice@', '₿alice', 'älice@example.com', 'a@b@c'])
      expect(to(text).errors.recipients[0]?.to, text).toContain('not a name that can be paid')
  })

  it('spends the chosen coins or none in their place', () => {
    expect(parseForm(formWith({ coins: ['b'] }), CONTEXT).draft?.coins).toEqual(['b'])
    const { draft, errors } = parseForm(formWith({ coins: ['b', 'c'] }), CONTEXT)
    expect([draft, errors.coins]).toEqual([
      null,
      'A chosen coin cannot be spent any more. Choose again.',
    ])
  })

  it('keeps a note on one line, without what cannot be seen', () => {
    const { draft } = parseForm(formWith({ label: `rent\n\u202e${'x'.repeat(200)}` }), CONTEXT)
    expect(draft?.label).toBe(`rent ${'x'.repeat(135)}`)
  })

  it('counts the public note in bytes', () => {
    expect(parseForm(formWith({ memo: 'gm \ud83e' }), CONTEXT).errors.memo).toContain('broken')
    expect(parseForm(formWith({ memo: 'ä'.repeat(40) }), CONTEXT).errors.memo).toBeNull()
    const { draft, errors } = parseForm(formWith({ memo: `${'ä'.repeat(40)}!` }), CONTEXT)
    expect([draft, errors.memo]).toEqual([null, '1 byte too long: 80 are the limit.'])
  })

  it('gives a payment or an error, never both and never neither', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom(SHOP, LEGACY, TEST, '0.01', '0.00000001'))
    const recipient = fc.record({ to: text, amount: text, max: fc.boolean() })
    fc.assert(
      fc.property(fc.array(recipient, { minLength: 1, maxLength: 3 }), recipients => {
        const { draft, errors } = parseForm(formWith({ recipients }), CONTEXT)
        const isWrong = errors.recipients.some(({ to, amount }) => to !== null || amount !== null)
        expect(draft === null).toBe(isWrong)
      }),
    )
    expect(emptyRecipient()).toEqual({ to: '', amount: '', max: false })
  })
})

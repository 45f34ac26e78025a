import { describe, expect, it } from 'vitest'
import type { Warning } from '../../../background/views/payment-views.ts'
import type { SignPsbtReview } from '../../../background/views/psbt-views.ts'
import { listConsents } from '../../review/list-consents.ts'
import { Dangers } from '../../review/warnings.tsx'
import {
  inscription,
  otherInput,
  otherOutput,
  ownInput,
  ownOutput,
  placeholder,
  psbtOf,
  signing,
} from '../../testing/psbt-building.ts'
import { textOf } from '../../testing/text-of.ts'
import { describeBatch, describeHold } from './batch-words.tsx'

const say = (review: SignPsbtReview) => textOf(describeBatch(review))

/** 0.009 BTC go to a shop, and 0.0001 to miners. */
const PAID = psbtOf([ownInput(1_000_000)], [otherOutput(900_000), ownOutput(90_000)])
/** An inscription comes to us, for which this transaction asks nothing but a dust coin of ours. */
const GOODS = psbtOf([ownInput(600), otherInput(1_546)], [ownOutput(600), ownOutput(546)], {
  assets: [inscription('7', { input: 1, output: 1, own: false, to: 'own' })],
})
const oneSided = (items: number[], worst: number): Warning => ({
  kind: 'one-sided-items',
  items,
  worst: String(worst),
})
const APART: SignPsbtReview = { ...signing(PAID, GOODS), warnings: [oneSided([0], -910_000)] }

const LISTING = psbtOf(
  [placeholder(0), ownInput(546, { sighash: 'single-anyone' })],
  [otherOutput(0, { open: true }), ownOutput(5_000_000)],
  { assets: [inscription('1', { input: 1, certainty: 'open' })] },
)

/** Sells a coin of 10,000 sats to whoever completes it, and binds every input and output. */
const SALE = psbtOf(
  [ownInput(10_000), otherInput(5_000_000)],
  [otherOutput(10_000), ownOutput(5_000_000)],
)
/** An inscription for 0.0091 BTC, and another one for 2,000 sats. */
const DEAR = psbtOf(
  [ownInput(1_000_000), otherInput(546)],
  [ownOutput(546), otherOutput(900_000), ownOutput(89_454)],
  { assets: [inscription('7', { input: 1, own: false, to: 'own' })] },
)
const CHEAP = psbtOf(
  [ownInput(20_000), otherInput(546)],
  [ownOutput(546), otherOutput(1_000), ownOutput(17_454)],
  { assets: [inscription('1', { input: 1, own: false, to: 'own' })] },
)

describe('the title of a batch', () => {
  it('is what can be lost, and never what comes, where the paying transaction can be used alone', () => {
    expect(say(APART)).toBe(
      'You sign 2 transactions. You can end up paying 0.0091 BTC and receiving nothing',
    )
    expect(say({ ...APART, conflicts: [[0, 1]] })).toBe(say(APART))
  })
  it('never counts what a sale brings against a payment that can be used alone', () => {
    const review = { ...signing(PAID, LISTING), warnings: [oneSided([0], -910_000)] }
    expect(say(review)).toBe(
      'You give away Inscription 1201. You sign 2 transactions. You can end up paying 0.0091 BTC and receiving nothing',
    )
  })
  it('is what is given away for nothing where that costs no bitcoin', () => {
    const given = psbtOf([ownInput(546), otherInput(1_000)], [otherOutput(546), ownOutput(546)], {
      assets: [inscription('1')],
    })
    const review = { ...signing(given, GOODS), warnings: [oneSided([0], 0)] }
    expect(say(review)).toBe(
      'You give away Inscription 1201. You sign 2 transactions. You can end up receiving nothing for what you give',
    )
  })
  it('tells the lowest of all that can be left', () => {
    const review = { ...APART, total: { ...APART.total, worst: '-2000000' } }
    expect(say(review)).toContain('paying 0.02 BTC and receiving nothing')
  })
  it('says that goods may not come, behind everything else', () => {
    const goods = psbtOf(
      [ownInput(1_000_000, { sighash: 'all-anyone' }), otherInput(546, { open: true })],
      [ownOutput(546), otherOutput(900_000), ownOutput(99_000)],
      { assets: [inscription('7', { own: false, to: 'own', certainty: 'open' })] },
    )
    expect(say(signing(goods, PAID))).toMatch(
      /^You sign 2 transactions and pay 0\.0\d+ BTC in all, if all of them happen\. You may not get Inscription 1207$/,
    )
  })
  it('tells what several sales bring with what it hangs on, as others can use one of them alone', () => {
    expect(say(signing(SALE, SALE))).toBe(
      'You sign 2 transactions and receive 0.0998 BTC in all, if all of them happen',
    )
    expect(say(signing(LISTING, LISTING))).toBe(
      'You give away Inscription 1201. You sign 2 transactions and receive 0.09998908 BTC in all, if all of them happen',
    )
  })
  it('tells what several purchases bring as what comes if all of them happen', () => {
    expect(say(signing(DEAR, CHEAP))).toBe(
      'You sign 2 transactions and pay 0.00912 BTC in all, if all of them happen. Then you receive Inscription 1207 and Inscription 1201',
    )
  })
  it('hedges what one item brings where another one costs or gives something away', () => {
    const fee = psbtOf([ownInput(20_000)], [ownOutput(19_000)])
    expect(say(signing(CHEAP, fee))).toBe(
      'You sign 2 transactions and pay 3,000 sats in all, if all of them happen. Then you receive Inscription 1201',
    )
    const swapped = psbtOf([ownInput(546), otherInput(546)], [otherOutput(546), ownOutput(546)], {
      assets: [inscription('2'), inscription('3', { input: 1, own: false, to: 'own' })],
    })
    expect(say(signing(swapped, swapped))).toMatch(
      /^You give away .*1202\. You sign 2 .* in all, if all of them happen\. Then you receive .*1203$/,
    )
  })
  it('never says that goods come in a batch that others can change', () => {
    const changeable = { ...SALE, worst: '-10000' }
    expect(say(signing(CHEAP, changeable))).toBe(
      'You sign 2 transactions and receive 0.04988 BTC in all, unless others change it',
    )
  })
  it('needs no hedge where nothing comes, and where one item alone does anything', () => {
    expect(say(signing(PAID, PAID))).toBe('You sign 2 transactions and pay 0.0182 BTC in all')
    const idle = psbtOf([otherInput(5_000)], [otherOutput(4_000)])
    expect(say(signing(CHEAP, idle))).toBe(
      'You receive Inscription 1201. You sign 2 transactions and pay 2,000 sats in all',
    )
  })
})

describe('a transaction of a batch that can be used alone', () => {
  const notice = (warning: Warning, assets = GOODS.assets) =>
    textOf(Dangers({ warnings: [warning], fee: null, assets }))

  it('is named with what it costs and that nothing comes for it', () => {
    expect(notice(oneSided([0], -900_000))).toBe(
      'Transaction #1 can be used alone Then you pay 0.009 BTC (900,000 sats) and receive nothing for it. What the others bring need not come.',
    )
    expect(notice(oneSided([0, 2], -900_000))).toMatch(
      /^Transactions #1, #3 can be used without the others /,
    )
  })
  it('is named with what it gives away', () => {
    const given = [inscription('1'), inscription('7', { own: false, to: 'own' })]
    expect(notice(oneSided([1], 0), given)).toContain(
      'Then you give away Inscription 1201 and receive nothing for it.',
    )
    expect(notice(oneSided([1], -600), given)).toContain(
      'Then you pay 0.000006 BTC (600 sats), give away Inscription 1201, and receive nothing for it.',
    )
  })
  it('is confirmed by its number and its cost', () => {
    const textsOf = (warning: Warning) => listConsents([], [warning])
    expect(textsOf(oneSided([0, 2], -900_000))).toEqual([
      {
        kind: 'one-sided-items',
        text: '#1, #3: I accept that I pay 0.009 BTC (900,000 sats) and receive nothing for it',
      },
    ])
    expect(textsOf(oneSided([1], 0)).map(({ text }) => text)).toEqual([
      '#2: I accept that I receive nothing for what I give',
    ])
  })
})

describe('a batch of listings', () => {
  it('has the same boxes as one listing, however its sum is told', () => {
    const boxesOf = ({ items, warnings }: SignPsbtReview) =>
      listConsents(
        items.map(({ warnings, assets }) => ({ warnings, fee: null, assets })),
        warnings,
      ).map(({ kind }) => kind)
    expect(boxesOf(signing(LISTING, LISTING))).toEqual(['assets-open'])
    expect(boxesOf(signing(LISTING))).toEqual(['assets-open'])
  })
})

describe('the sum of a batch', () => {
  it('is said to hang on all of them where others can use some alone, and on others where they can change it', () => {
    expect(describeHold(signing(PAID, PAID))).toBeNull()
    expect(describeHold(signing(SALE, SALE))).toBe('if all of them happen')
    expect(describeHold(signing(DEAR, CHEAP))).toBe('if all of them happen')
    expect(describeHold(signing(SALE, PAID))).toBe('if all of them happen')
    expect(describeHold(signing(LISTING, LISTING))).toBe('if all of them happen')
    expect(describeHold(signing(PAID, { ...LISTING, worst: '-546' }))).toBe(
      'unless others use your signature otherwise',
    )
  })
})

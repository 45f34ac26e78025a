import { describe, expect, it } from 'vitest'
import type { Warning } from '../../background/ui-methods/payment-views.ts'
import type { SignPsbtReview } from '../../background/ui-methods/psbt-views.ts'
import {
  inscription,
  otherInput,
  otherOutput,
  ownInput,
  ownOutput,
  placeholder,
  psbtOf,
  signing,
} from '../testing/psbt-building.ts'
import { textOf } from '../testing/text-of.ts'
import { describeBatch, describeHold } from './batch-words.tsx'
import { listConsents } from './list-consents.ts'
import { Dangers } from './warnings.tsx'

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
      /^You sign 2 transactions and pay 0\.0\d+ BTC in all\. You may not get Inscription 1207$/,
    )
  })
  it('stays that of the sum for sales and for purchases that each stand for themselves', () => {
    expect(say(signing(LISTING, LISTING))).toBe(
      'You give away Inscription 1201. You sign 2 transactions and receive 0.09998908 BTC in all',
    )
    const bought = psbtOf(
      [ownInput(1_000_000), otherInput(546)],
      [ownOutput(546), otherOutput(900_000), ownOutput(99_000)],
      { assets: [inscription('7', { input: 1, own: false, to: 'own' })] },
    )
    expect(say(signing(bought, bought))).toBe(
      'You receive Inscription 1207. You sign 2 transactions and pay 0.01800908 BTC in all',
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

describe('the sum of a batch', () => {
  it('is said to hang on all of them where others complete them, and on others where they can change it', () => {
    expect(describeHold(signing(PAID, PAID))).toBeNull()
    expect(describeHold(signing(LISTING, LISTING))).toBe('if all of them happen')
    expect(describeHold(signing(PAID, { ...LISTING, worst: '-546' }))).toBe(
      'unless others use your signature otherwise',
    )
  })
})

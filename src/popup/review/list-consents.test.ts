import { describe, expect, it } from 'vitest'
import type { AssetMoveView } from '../../background/views/asset-views.ts'
import type { PaymentReview, Warning } from '../../background/views/payment-views.ts'
import type { PsbtView } from '../../background/views/psbt-views.ts'
import {
  inscription,
  otherInput,
  otherOutput,
  ownInput,
  ownOutput,
  placeholder,
  psbtOf,
} from '../testing/psbt-building.ts'
import { listConsents, needsAttention, subjectOfPayment } from './list-consents.ts'

const HIGH: Warning = { kind: 'high-fee', percent: 60.2, fastest: null, recent: null }
const openTo = (worst: number, proposed: number): Warning => ({
  kind: 'open-signature',
  worst: String(worst),
  proposed: String(proposed),
})
const textsOf = (...warnings: Warning[]) =>
  listConsents([{ warnings, fee: 61_410n, assets: [] }]).map(({ text }) => text)

describe('what has to be confirmed beside approving', () => {
  it('is nothing where a notice is enough', () => {
    expect(
      textsOf(
        { kind: 'unproven-inscriptions', ids: ['a'.repeat(64)] },
        { kind: 'bad-signature', inputs: [0] },
        { kind: 'shared-inputs', inputs: [0], sats: '546' },
        openTo(5_000, 5_000),
      ),
    ).toEqual([])
  })
  it('is the worst case in both units, by a word and never by a sign', () => {
    expect(textsOf(openTo(-1_600_000, -102_000))).toEqual([
      'I accept that others can change it so that I pay 0.016 BTC (1,600,000 sats)',
    ])
    expect(textsOf(openTo(900, 5_000))).toEqual([
      'I accept that others can change it so that I receive only 0.000009 BTC (900 sats)',
    ])
    expect(textsOf(openTo(0, 5_000))).toEqual([
      'I accept that others can change it so that I receive nothing',
    ])
  })
  it('is one box however many recipients pass for others', () => {
    const twin = (to: string): Warning => ({ kind: 'looks-like', to, known: 'bc1q', name: null })
    expect(textsOf(twin('a'), twin('b'))).toHaveLength(1)
  })
  it('is what is destroyed, in both units', () => {
    expect(textsOf({ kind: 'burned-sats', sats: '5000' })).toEqual([
      'I destroy 0.00005 BTC (5,000 sats) for good',
    ])
  })
  it('is a blank signature by itself, also beside its worst case', () => {
    expect(textsOf(openTo(-5, -1), { kind: 'blank-signature' })).toHaveLength(2)
  })
  it('is a signature that leaves parts to others and that only the transaction itself asks for', () => {
    const unasked: Warning = { kind: 'unasked-sighash', inputs: [2] }
    expect(textsOf(unasked)).toEqual([
      'I let others change parts of it, although the site did not ask for that in its request',
    ])
    const subjects = [1, 2].map(() => ({ warnings: [unasked], fee: null, assets: [] }))
    expect(listConsents(subjects)).toEqual([
      {
        kind: 'unasked-sighash',
        text: 'In 2 transactions I let others change parts, although the site did not ask for that in its request',
      },
    ])
  })
  it('is one box for such a signature where another one says already what it leaves to others', () => {
    const unasked: Warning = { kind: 'unasked-sighash', inputs: [2] }
    expect(textsOf(unasked, openTo(-5, -1))).toEqual(textsOf(openTo(-5, -1)))
    const assets = [inscription('3', { certainty: 'open' })]
    expect(
      listConsents([{ warnings: [unasked], fee: null, assets }]).map(({ kind }) => kind),
    ).toEqual(['assets-open'])
  })
  it('is one box for dangers of one kind in several transactions, with their sum', () => {
    const subjects = [100n, 50n, 7n].map(fee => ({
      warnings: fee > 10n ? [HIGH] : [],
      fee,
      assets: [],
    }))
    expect(listConsents(subjects)).toEqual([
      { kind: 'high-fee', text: 'I pay very high fees in 2 transactions, 150 sats in all' },
    ])
  })
  it('names the transaction where only one is dangerous', () => {
    const subjects = [
      { warnings: [], fee: 5n, assets: [] },
      { warnings: [HIGH], fee: 61_410n, assets: [] },
    ]
    expect(listConsents(subjects)).toEqual([
      { kind: 'high-fee', text: '#2: I pay this very high fee of 61,410 sats, 60.2 %' },
    ])
  })
  it('is also what signatures of several transactions cost when others use them together', () => {
    const subjects = [1, 2].map(() => ({ warnings: [openTo(0, 0)], fee: null, assets: [] }))
    expect(listConsents(subjects, [openTo(-20_000, 0)])).toEqual([
      {
        kind: 'open-signature',
        text: 'I accept that others can change it so that I pay 0.0002 BTC (20,000 sats)',
      },
    ])
  })
  it('gives no sum of fees that are not all known', () => {
    const subjects = [100n, null].map(fee => ({ warnings: [HIGH], fee, assets: [] }))
    expect(listConsents(subjects)).toEqual([
      { kind: 'high-fee', text: 'I pay very high fees in 2 transactions' },
    ])
  })
})

describe('inscriptions and runes', () => {
  const withAssets = (...assets: ReturnType<typeof inscription>[]) =>
    listConsents([{ warnings: [], fee: null, assets }])

  it('are confirmed by name when they leave, each in its way, what is lost for good first', () => {
    const moves = [
      inscription('1'),
      inscription('2', { to: 'fee', output: null }),
      inscription('3', { certainty: 'open' }),
      inscription('4', { to: 'unknown', certainty: 'unknown', output: null }),
    ]
    expect(withAssets(...moves)).toEqual([
      { kind: 'assets-lost', text: 'I destroy Inscription 1202 for good' },
      { kind: 'assets-unknown', text: 'I accept that I may lose Inscription 1204' },
      { kind: 'assets-open', text: 'I let others decide who gets Inscription 1203' },
      { kind: 'assets-leaves', text: 'I give away Inscription 1201' },
    ])
  })
  it('need no box when they stay, come, or are none of ours', () => {
    expect(
      withAssets(
        inscription('1', { to: 'own' }),
        inscription('2', { own: false, to: 'own' }),
        inscription('3', { own: false, to: 'fee' }),
      ),
    ).toEqual([])
  })
  it('proposed to stay are confirmed where others can take them, or where that rests on a mere claim', () => {
    const kindOf = (certainty: AssetMoveView['certainty']) =>
      withAssets(inscription('1', { to: 'own', certainty })).map(({ kind }) => kind)
    expect(kindOf('open')).toEqual(['assets-open'])
    expect(kindOf('claimed')).toEqual(['assets-unknown'])
    expect(kindOf('unknown')).toEqual(['assets-unknown'])
  })
  it('proposed to come are confirmed where others can keep them', () => {
    for (const certainty of ['open', 'claimed', 'unknown'] as const)
      expect(withAssets(inscription('7', { own: false, to: 'own', certainty }))).toEqual([
        { kind: 'assets-promised', text: 'I accept that I may not get Inscription 1207' },
      ])
  })
  it('that may not come are one box for the whole batch', () => {
    const promised = (digit: string) => ({
      warnings: [],
      fee: null,
      assets: [inscription(digit, { own: false, to: 'own', certainty: 'open' })],
    })
    expect(listConsents([promised('7'), promised('8')])).toEqual([
      {
        kind: 'assets-promised',
        text: 'In 2 transactions I accept that I may not get Inscription 1207 and Inscription 1208',
      },
    ])
  })
  it('are burned by an output that nobody can spend as surely as by a fee', () => {
    expect(withAssets(inscription('1', { to: 'burned' }))[0]?.kind).toBe('assets-lost')
  })
  it('are one box for the whole batch, with their number', () => {
    const textsOf = (digits: readonly string[]) =>
      listConsents(
        digits.map(digit => ({ warnings: [], fee: null, assets: [inscription(digit)] })),
      ).map(({ text }) => text)
    expect(textsOf(['1', '2', '3'])).toEqual(['In 3 transactions I give away 3 inscriptions'])
    expect(textsOf(['1', '1'])).toEqual(['In 2 transactions I give away Inscription 1201'])
  })
  it('need no box where a transfer was asked for, and one for what only shares their coin', () => {
    const review = { warnings: [], fee: '500', assets: [inscription('1'), inscription('2')] }
    const consentsOf = (asked: number) =>
      listConsents([subjectOfPayment({ ...PAYMENT, ...review, asked })]).map(({ text }) => text)
    expect(consentsOf(2)).toEqual([])
    expect(consentsOf(1)).toEqual(['I give away Inscription 1202'])
    const lost = { ...review, assets: [inscription('1', { to: 'fee' })], asked: 1 }
    expect(listConsents([subjectOfPayment({ ...PAYMENT, ...lost })])).toHaveLength(1)
  })
  it('that nobody knows of are confirmed by the inputs that may carry them', () => {
    expect(textsOf({ kind: 'unchecked-coins', inputs: [0, 3], why: 'behind' })).toEqual([
      'I may give away what sits on inputs #0, #3',
    ])
  })
  it('on coins with too many sats are confirmed with the amount in both units', () => {
    expect(textsOf({ kind: 'large-postage', sats: '100000000' })).toEqual([
      'I also send 1 BTC (100,000,000 sats) along',
    ])
  })
})

describe('an honest deal', () => {
  const boxesOf = (...views: PsbtView[]) =>
    listConsents(views.map(({ warnings, assets }) => ({ warnings, fee: null, assets }))).map(
      ({ kind }) => kind,
    )
  const listing = (digit: string) =>
    psbtOf(
      [placeholder(0), ownInput(546, { sighash: 'single-anyone' })],
      [otherOutput(0, { open: true }), ownOutput(5_000_000)],
      {
        assets: [inscription(digit, { input: 1, certainty: 'open' })],
        warnings: [openTo(4_999_454, 4_999_454)],
      },
    )

  it('to sell has one box for what is given away, however many are listed', () => {
    expect(boxesOf(listing('1'))).toEqual(['assets-open'])
    expect(boxesOf(listing('1'), listing('2'), listing('3'))).toEqual(['assets-open'])
  })
  it('to buy has none', () => {
    const assets = [inscription('7', { own: false, to: 'own' })]
    const inputs = [ownInput(600), otherInput(546, { state: 'final' }), ownInput(6_000_000)]
    const outputs = [ownOutput(600), ownOutput(546), otherOutput(5_000_000), ownOutput(990_000)]
    expect(boxesOf(psbtOf(inputs, outputs, { assets }))).toEqual([])
  })
  it('to exchange one for another has one for that which is given', () => {
    const assets = [inscription('1'), inscription('7', { own: false, to: 'own' })]
    const swap = psbtOf([ownInput(546), otherInput(546)], [otherOutput(546), ownOutput(546)], {
      assets,
    })
    expect(boxesOf(swap)).toEqual(['assets-leaves'])
  })
  it('to pay or to mix together with others has none', () => {
    const payjoin = psbtOf(
      [ownInput(3_000_000), otherInput(800_000)],
      [otherOutput(1_820_000), ownOutput(1_978_000)],
    )
    const coinjoin = psbtOf(
      [ownInput(101_000), ...Array.from({ length: 9 }, () => otherInput(101_000))],
      [ownOutput(100_000), ...Array.from({ length: 9 }, () => otherOutput(100_000))],
    )
    expect(boxesOf(payjoin)).toEqual([])
    expect(boxesOf(coinjoin)).toEqual([])
  })
})

const PAYMENT: PaymentReview = {
  kind: 'payment',
  purpose: 'transfer',
  previous: null,
  recipients: [],
  memo: null,
  sats: '0',
  fee: '0',
  feeRate: 1,
  recentFeeRate: null,
  runestone: null,
  vsize: 1,
  inputs: [],
  outputs: [],
  assets: [],
  asked: 0,
  balanceAfter: '0',
  warnings: [],
}

describe('an item of a batch', () => {
  it('is marked for what needs attention, also where it needs no box', () => {
    const marked = (warning: Warning) =>
      needsAttention({ warnings: [warning], fee: null, assets: [] })
    expect(marked({ kind: 'shared-inputs', inputs: [0], sats: '546' })).toBe(true)
    expect(marked({ kind: 'bad-signature', inputs: [0] })).toBe(true)
    expect(marked(HIGH)).toBe(true)
    expect(marked(openTo(5_000, 5_000))).toBe(false)
    expect(marked({ kind: 'claimed-amounts', inputs: [0] })).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import type { Warning } from '../../background/ui-methods/payment-views.ts'
import { listConsents, needsLook } from './list-consents.ts'

const HIGH: Warning = { kind: 'high-fee', percent: 60.2, fastest: null }
const openTo = (worst: number, drawn: number): Warning => ({
  kind: 'open-signature',
  worst: String(worst),
  drawn: String(drawn),
})
const textsOf = (...warnings: Warning[]) =>
  listConsents([{ warnings, fee: 61_410n }]).map(({ text }) => text)

describe('what has to be confirmed beside approving', () => {
  it('is nothing where a notice is enough', () => {
    expect(
      textsOf(
        { kind: 'unchecked-coins' },
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
  it('is one box for dangers of one kind in several transactions, with their sum', () => {
    const subjects = [100n, 50n, 7n].map(fee => ({ warnings: fee > 10n ? [HIGH] : [], fee }))
    expect(listConsents(subjects)).toEqual([
      { kind: 'high-fee', text: 'I pay very high fees in 2 transactions, 150 sats in all' },
    ])
  })
  it('names the transaction where only one is dangerous', () => {
    const subjects = [
      { warnings: [], fee: 5n },
      { warnings: [HIGH], fee: 61_410n },
    ]
    expect(listConsents(subjects)).toEqual([
      { kind: 'high-fee', text: '#2: I pay this very high fee of 61,410 sats, 60.2 %' },
    ])
  })
  it('is also what signatures of several transactions cost when others use them together', () => {
    const subjects = [1, 2].map(() => ({ warnings: [openTo(0, 0)], fee: null }))
    expect(listConsents(subjects, [openTo(-20_000, 0)])).toEqual([
      {
        kind: 'open-signature',
        text: 'I accept that others can change it so that I pay 0.0002 BTC (20,000 sats)',
      },
    ])
  })
  it('gives no sum of fees that are not all known', () => {
    const subjects = [100n, null].map(fee => ({ warnings: [HIGH], fee }))
    expect(listConsents(subjects)).toEqual([
      { kind: 'high-fee', text: 'I pay very high fees in 2 transactions' },
    ])
  })
})

describe('an item of a batch', () => {
  it('is marked for what needs a look, also where it needs no box', () => {
    const marked = (warning: Warning) => needsLook({ warnings: [warning], fee: null })
    expect(marked({ kind: 'shared-inputs', inputs: [0], sats: '546' })).toBe(true)
    expect(marked({ kind: 'bad-signature', inputs: [0] })).toBe(true)
    expect(marked(HIGH)).toBe(true)
    expect(marked(openTo(5_000, 5_000))).toBe(false)
    expect(marked({ kind: 'unchecked-coins' })).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import type { AssetMoveView } from '../../../background/views/asset-views.ts'
import type { PsbtView } from '../../../background/views/psbt-views.ts'
import {
  inscription,
  otherInput,
  otherOutput,
  ownInput,
  ownOutput,
  psbtOf,
} from '../../testing/psbt-building.ts'
import { textOf } from '../../testing/text-of.ts'
import { nameIndexes } from '../index-words.ts'
import { describePsbt } from './psbt-words.tsx'

function say(view: PsbtView): string {
  return textOf(describePsbt(view))
}

const SHARED = otherInput(100_000_000, { owner: 'shared', state: 'to-sign', sighash: 'all' })

describe('the first sentence about a PSBT', () => {
  it('names a shared coin that is signed for also where we gain something', () => {
    expect(say(psbtOf([SHARED], [otherOutput(99_000_000), ownOutput(20_000)]))).toBe(
      'You receive 0.0002 BTC. 1 BTC also leaves a script that your key can sign for',
    )
    expect(say(psbtOf([SHARED], [otherOutput(99_000_000)]))).toBe(
      'With this signature, 1 BTC leaves a script that your key can sign for',
    )
  })
  it('leaves out a shared coin that nobody asks us to sign for', () => {
    const idle = { ...SHARED, state: 'open' as const, sighash: null }
    expect(say(psbtOf([ownInput(90_000), idle], [otherOutput(100_080_000)]))).toBe(
      'You pay 0.0009 BTC',
    )
  })
  it('says that others can change what it says', () => {
    expect(say(psbtOf([ownInput(90_000)], [ownOutput(89_000)], { worst: '-90000' }))).toBe(
      'You pay a fee of 1,000 sats, all other bitcoin comes back to you, unless others change it',
    )
  })
})

describe('the first sentence about inscriptions and runes', () => {
  const listing = [ownInput(546, { sighash: 'single-anyone' })]
  it('is what is given and what is received for it', () => {
    const assets = [inscription('1', { certainty: 'open' })]
    expect(say(psbtOf(listing, [ownOutput(5_000_000)], { assets, worst: '4999454' }))).toBe(
      'You give Inscription 1201 and receive 0.05 BTC',
    )
  })
  it('is what is paid and what is received for it', () => {
    const rune: AssetMoveView = {
      ...inscription('1', { own: false, to: 'own', output: 0, input: 1 }),
      asset: { kind: 'rune', name: 'UNCOMMON•GOODS', amount: '1000.5', symbol: '⧉' },
    }
    const view = psbtOf(
      [ownInput(6_000_000), otherInput(546)],
      [ownOutput(546), otherOutput(5_000_000), ownOutput(998_000)],
      { assets: [rune] },
    )
    expect(say(view)).toMatch(/^You pay 0\.0500\d+ BTC and receive 1,000\.5 UNCOMMON•GOODS$/)
  })
  it('names what goes to the one who is paid', () => {
    const assets = [inscription('1')]
    expect(say(psbtOf([ownInput(3_000_000)], [otherOutput(1_020_000)], { assets }))).toBe(
      'You send 0.0102 BTC and Inscription 1201 to bc1q…f3t4',
    )
  })
  it('begins with what is lost for good, then with what goes away', () => {
    const assets = [
      inscription('1', { to: 'fee', output: null }),
      inscription('2', { output: 1, address: 'bc1other' }),
    ]
    const view = psbtOf([ownInput(90_000)], [otherOutput(50_000), otherOutput(546)], { assets })
    expect(say(view)).toMatch(
      /^You destroy Inscription 1201\. You give away Inscription 1202\. You send/,
    )
  })
  it('never counts as received what others can keep, and tells it behind what is paid', () => {
    const goods = (certainty: AssetMoveView['certainty']) =>
      say(
        psbtOf(
          [ownInput(1_000_000, { sighash: 'all-anyone' }), otherInput(546, { open: true })],
          [ownOutput(546), otherOutput(900_000), ownOutput(99_454)],
          { assets: [inscription('7', { own: false, to: 'own', input: 1, certainty })] },
        ),
      )
    for (const certainty of ['open', 'claimed', 'unknown'] as const)
      expect(goods(certainty)).toBe('You pay 0.009 BTC. You may not get Inscription 1207')
    expect(goods('certain')).toBe('You pay 0.009 BTC and receive Inscription 1207')
  })
  it('tells what may not come behind everything else that others can change', () => {
    const assets = [
      inscription('1'),
      inscription('7', { own: false, to: 'own', certainty: 'open' }),
    ]
    const view = psbtOf(
      [ownInput(90_000), otherInput(546, { open: true })],
      [otherOutput(546), ownOutput(80_000), ownOutput(546)],
      { assets, worst: '-90000' },
    )
    expect(say(view)).toBe(
      'You give away Inscription 1201. You pay 9,454 sats, unless others change it. You may not get Inscription 1207',
    )
  })
  it('is a possible loss where an amount that leads there is only claimed', () => {
    const assets = [inscription('1', { to: 'own', certainty: 'claimed' })]
    expect(say(psbtOf([ownInput(90_000)], [ownOutput(89_000)], { assets }))).toMatch(
      /^You may lose Inscription 1201\. You pay a fee/,
    )
  })
  it('counts many', () => {
    const assets = ['1', '2', '3', '4'].map(digit => inscription(digit, { own: false, to: 'own' }))
    expect(say(psbtOf([ownInput(90_000)], [ownOutput(89_000)], { assets }))).toMatch(
      /^You receive 4 inscriptions\. You pay a fee/,
    )
  })
  it('says nothing of those that stay', () => {
    const assets = [inscription('1', { to: 'own' })]
    expect(say(psbtOf([ownInput(90_000)], [ownOutput(89_000)], { assets }))).not.toMatch(
      /Inscription/,
    )
  })
})

describe('places in a sentence', () => {
  it('are eight at most', () => {
    const list = nameIndexes(
      'psbtInputs',
      Array.from({ length: 1_000 }, (_, index) => index),
    )
    expect(list).toBe('Inputs #0, #1, #2, #3, #4, #5, #6, #7 and 992 more')
  })
})

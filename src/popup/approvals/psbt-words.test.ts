import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { PsbtView } from '../../background/ui-methods/psbt-views.ts'
import { otherInput, otherOutput, ownInput, ownOutput, psbtOf } from '../testing/psbt-building.ts'
import { describePsbt, nameIndexes } from './psbt-words.tsx'

function say(view: PsbtView): string {
  return renderToStaticMarkup(describePsbt(view)).replace(/<[^>]*>/g, '')
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
      'You pay only a fee of 1,000 sats, the rest comes back to you, unless others change it',
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

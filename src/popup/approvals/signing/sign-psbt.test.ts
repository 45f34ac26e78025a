import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { SignPsbtReview } from '../../../background/views/psbt-views.ts'
import {
  inscription,
  otherInput,
  otherOutput,
  ownInput,
  ownOutput,
  psbtOf,
  signing,
} from '../../testing/psbt-building.ts'
import { textOf } from '../../testing/text-of.ts'
import { SignPsbtApproval } from './sign-psbt.tsx'

const screenOf = (review: SignPsbtReview) =>
  createElement(SignPsbtApproval, {
    view: {
      key: '1',
      digest: '1',
      origin: 'https://market.example',
      position: 1,
      total: 1,
      network: 'mainnet',
      account: null,
      wasDeclined: false,
      review,
    },
    review,
    onDecide: async () => {},
  })
const say = (review: SignPsbtReview) => textOf(screenOf(review))
const boxesOf = (review: SignPsbtReview) =>
  [...renderToStaticMarkup(screenOf(review)).matchAll(/confirm-([\w-]+)/g)].map(([, kind]) => kind)

const PAID = psbtOf([ownInput(1_000_000)], [otherOutput(900_000), ownOutput(99_000)])
const GOODS = psbtOf([ownInput(600), otherInput(546)], [ownOutput(600), ownOutput(546)], {
  assets: [inscription('7', { input: 1, output: 1, own: false, to: 'own' })],
})

describe('the screen for PSBTs that the wallet sends', () => {
  it('says so in title, facts and button, and nothing else', () => {
    const text = say({ ...signing(PAID), broadcast: true })
    expect(text).toContain('You send 0.009 BTC to bc1q…f3t4. Satchel sends it at once')
    expect(text).toContain('After signing Satchel sends it at once That cannot be undone')
    expect(text).toContain('Sign and send')
    expect(text).not.toContain('sends nothing')
    expect(say(signing(PAID))).not.toContain('sends it')
  })
  it('says so of several', () => {
    const text = say({ ...signing(PAID, PAID), broadcast: true })
    expect(text).toContain('Satchel sends all of them at once Asked by')
    expect(text).toContain('After signing Satchel sends all of them at once')
    expect(text).toContain('Sign and send all 2')
    expect(text).not.toContain('sends nothing')
  })
})

describe('the screen for several PSBTs', () => {
  it('shows what can be used alone, asks for it, and gives the worst instead of a sum', () => {
    const review: SignPsbtReview = {
      ...signing(PAID, GOODS),
      warnings: [{ kind: 'one-sided-items', items: [0], worst: '-901000' }],
    }
    const text = say(review)
    expect(text).toContain('Transaction #1 can be used alone Then you pay 0.00901 BTC')
    expect(text).toContain('At worst you pay 0.00901 BTC')
    expect(text).not.toContain('You pay in all')
    expect(text).toContain('#1You send 0.009 BTC to bc1q…f3t4 can be used alone')
    expect(boxesOf(review)).toEqual(['one-sided-items'])
  })
  it('asks where signatures of several can be used together, with the worst of that', () => {
    const review: SignPsbtReview = {
      ...signing(PAID, PAID),
      warnings: [{ kind: 'open-signature', worst: '-2802000', proposed: '-1802000' }],
    }
    expect(say(review)).toContain(
      'At worst you pay 0.02802 BTC (2,802,000 sats) Others can put coins of several',
    )
    expect(boxesOf(review)).toEqual(['open-signature'])
  })
  it('asks for nothing where every one stands for itself', () => {
    expect(boxesOf(signing(PAID, PAID))).toEqual([])
    expect(say(signing(PAID, PAID))).toContain('You pay in all 0.01802 BTC')
  })
})

describe('the screen for one PSBT', () => {
  it('leaves out no warning of the request as a whole', () => {
    const review: SignPsbtReview = {
      ...signing(PAID),
      warnings: [{ kind: 'open-signature', worst: '-1000000', proposed: '-901000' }],
    }
    expect(say(review)).toContain('At worst you pay 0.01 BTC')
    expect(boxesOf(review)).toEqual(['open-signature'])
  })
})

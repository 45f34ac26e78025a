import { createElement } from 'react'
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
import { PsbtBody } from './psbt-body.tsx'

const say = (view: PsbtView) => textOf(createElement(PsbtBody, { view }))

const PAID = psbtOf([ownInput(100_000)], [otherOutput(60_000), ownOutput(39_000)])
const GAINED = psbtOf([ownInput(546), otherInput(60_000)], [ownOutput(50_546)])

describe('the screen of a PSBT', () => {
  it('says of a sum that others can change how far it holds', () => {
    const held = (view: PsbtView, worst: string) =>
      say({ ...view, worst, net: { sats: view.net.sats, certainty: 'open' } })
    expect(held(PAID, '-100000')).toContain(
      'You pay in all 0.00061 BTC 61,000 sats unless others use your signature otherwise',
    )
    expect(held(PAID, PAID.net.sats)).toContain('61,000 sats at most, whatever others do')
    expect(held(GAINED, GAINED.net.sats)).toContain('50,000 sats at least, whatever others do')
    for (const view of [PAID, GAINED])
      expect(say(view)).not.toMatch(/whatever others|unless others/)
  })
  it('says of the fee whether it holds', () => {
    const fee = (certainty: 'certain' | 'open' | 'claimed' | 'unknown') =>
      say({ ...PAID, fee: { sats: '1000', feeRate: 9, certainty } })
    expect(fee('open')).toContain('sat/vB others can still change it')
    expect(fee('unknown')).toContain('sat/vB others can still change it')
    expect(fee('claimed')).toContain('sat/vB not proven')
    expect(fee('certain')).not.toMatch(/can still change it|not proven/)
  })
  it('says of a fee that is not known what it is at least', () => {
    const unknown = psbtOf([ownInput(100_000), otherInput(null)], [otherOutput(60_000)])
    expect(say(unknown)).toContain('Not known')
    const text = say({ ...unknown, leastFee: '40000' })
    expect(text).toContain('At least 40,000 sats An input’s amount is not known')
    expect(text).not.toContain('Not known')
  })
  it('tells who is paid before the picture, and many only after the cost', () => {
    const many = psbtOf(
      [ownInput(100_000)],
      [1, 2, 3, 4].map(count => otherOutput(10_000 * count)),
    )
    expect(say(PAID)).toMatch(/Who is paid .* You pay in all/)
    expect(say(many)).toMatch(/You pay in all .* Who is paid/)
  })
  it('warns of a signature that only the transaction itself asks for', () => {
    const text = say({ ...PAID, warnings: [{ kind: 'unasked-sighash', inputs: [0] }] })
    expect(text).toContain('Your signature leaves parts of it to others')
    expect(text).toContain(
      'Input #0: only the transaction itself asks for that; the site did not say so in its request.',
    )
  })
})

describe('what sits on the coins of a PSBT', () => {
  const tell = (changes: Partial<AssetMoveView>) =>
    say(psbtOf([ownInput(546)], [ownOutput(546)], { assets: [inscription('7', changes)] }))

  it('is not certain to come where others can keep it', () => {
    const text = tell({ own: false, to: 'own', certainty: 'open', address: 'bc1qmine' })
    expect(text).toContain('Not certain to come Others can use your signature and keep this')
    expect(text).toContain('Inscription 1207 as drawn to your address')
    expect(text).not.toContain('You receive Inscription')
  })
  it('comes where nobody can change that', () => {
    expect(tell({ own: false, to: 'own' })).toContain('You receive Inscription 1207')
  })
  it('is where nobody can say, and on no sat, where it hangs on an amount that is only claimed', () => {
    const text = tell({ to: 'own', certainty: 'claimed' })
    expect(text).toContain('Nobody can say where this goes An amount is not known or not proven')
    expect(text).not.toMatch(/Sat 0 of output|Stays with you/)
  })
  it('is decided by others where a signature leaves it open, though it is proposed to stay', () => {
    const text = tell({ to: 'own', certainty: 'open', address: 'bc1qmine' })
    expect(text).toContain('Others decide where this goes')
    expect(text).toContain('as drawn to bc1qmine, but others decide')
  })
})

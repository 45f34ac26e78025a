import { describe, expect, it } from 'vitest'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { describeState, explainReason, ownAddressOf } from './coin-words.ts'

const COIN: CoinView = {
  ...{ outpoint: `${'ab'.repeat(32)}:0`, sats: '1', height: 1, held: null, assets: [] },
  ...{ unchecked: null, choice: null, rareSats: [], mergeable: true, label: '' },
}

describe('how a single coin stands', () => {
  it('is one line where that says all', () => {
    expect(describeState(COIN)).toEqual({ title: 'Can be spent', why: null })
    const locked = { ...COIN, held: 'locked', choice: 'locked' } as const
    expect(describeState(locked)).toEqual({ title: 'Locked: no payment spends it', why: null })
  })

  it('says of one that the person freed that payments may spend it, and that nobody knows what sits on it', () => {
    const { title, why } = describeState({ ...COIN, choice: 'unlocked', unchecked: 'unanswered' })
    expect(title).toBe('Payments may spend it now')
    expect(why).not.toBeNull()
    expect(why).toBe(describeState({ ...COIN, unchecked: 'unanswered' }).why)
  })

  it('says why it is held back, and first why nothing is known of it', () => {
    const unknown = describeState({ ...COIN, held: 'unknown', unchecked: 'unanswered' })
    expect(unknown.title).toBe('Not checked')
    expect(unknown.why).toMatch(
      / Until it is known what sits on them, payments leave them alone\.$/,
    )
    expect(explainReason({ held: 'unconfirmed', unchecked: 'unconfirmed' })).toMatch(/^Others sent/)
  })
})

describe('the address of an own coin', () => {
  const outputs = [
    { address: 'bc1qstranger', own: false },
    { address: 'bc1qown', own: true },
    { address: null, own: true },
  ] as unknown as Parameters<typeof ownAddressOf>[0]
  const at = (index: number) => ownAddressOf(outputs, `${'ab'.repeat(32)}:${index}`)

  it('is never one of somebody else that a server names in its place', () => {
    expect(at(0)).toBeNull()
    expect(at(1)).toBe('bc1qown')
    expect([at(2), at(3)]).toEqual([null, null])
  })
})

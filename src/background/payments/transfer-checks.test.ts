import { describe, expect, it } from 'vitest'
import type { AssetMoveView } from '../views/asset-views.ts'
import type { PaymentReview } from '../views/payment-views.ts'
import type { Plan } from './payment-plan.ts'
import { assertMoved } from './transfer-plan.ts'

const RECEIVER = 'bcrt1qreceiver'

function move(changes: Partial<AssetMoveView> = {}): AssetMoveView {
  return {
    asset: { kind: 'inscription', id: `${'a'.repeat(64)}i0`, number: 1 },
    input: 0,
    own: true,
    to: 'foreign',
    certainty: 'certain',
    output: 0,
    offset: '0',
    address: RECEIVER,
    ...changes,
  }
}

const KEPT = move({ to: 'own', address: 'bcrt1qown', output: 1 })

/** Whether a plan that moves these, of which so many were asked for, would be signed. */
function isRight(assets: AssetMoveView[], asked: number, shown = asked): boolean {
  const recipients = [{ address: RECEIVER, sats: '546', name: null }]
  const review = { recipients, assets, asked: shown } as unknown as PaymentReview
  try {
    assertMoved({ review } as unknown as Plan, asked)
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: -32000, data: { reason: 'PROTECTED_ASSET' } })
    return false
  }
}

describe('a plan that moves what sits on coins', () => {
  it('is signed where all that was asked for goes to the receiver, and the rest comes back', () => {
    expect(isRight([move()], 1)).toBe(true)
    expect(isRight([move(), move({ input: 1 }), KEPT], 2)).toBe(true)
  })

  it.each<[string, AssetMoveView[], number, number?]>([
    ['something goes to the fee', [move(), move({ to: 'fee', output: null, address: null })], 1],
    ['something is burned', [move(), move({ to: 'burned', address: null })], 1],
    ['something goes nobody knows where', [move(), move({ to: 'unknown', address: null })], 1],
    ['all of it is lost', [move({ to: 'fee', output: null, address: null })], 1],
    ['what was asked for goes elsewhere', [move({ address: 'bcrt1qother' })], 1],
    ['the second of what was asked for goes elsewhere', [move(), KEPT], 2],
    ['more is shown as asked for than was', [move(), move({ input: 1 })], 1, 2],
    ['less is shown as asked for than was', [move(), move({ input: 1 })], 2, 1],
  ])('is not signed where %s', (_, assets, asked, shown) => {
    expect(isRight(assets, asked, shown ?? asked)).toBe(false)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scriptPubKeyOf } from '../../bitcoin/address.ts'
import { bumpReveals } from '../../ordinals/inscriptions/fee-bumped-reveals.ts'
import { buildInscribing } from '../../ordinals/inscriptions/inscribing.ts'
import { buildRefund } from '../../ordinals/inscriptions/refund.ts'
import { layOut, situations } from '../../ordinals/testing/inscribings.ts'
import {
  decodeFeeBumpedReveals,
  decodeInscribing,
  decodeRefund,
  encodeFeeBumpedReveals,
  encodeInscribing,
  encodeRefund,
} from './stored-inscribing.ts'

const throughJson = <T>(stored: T): T => JSON.parse(JSON.stringify(stored))

describe('an inscribing in storage', () => {
  it('comes back as it was, and so do its fee-bumped reveals and its refund', () => {
    fc.assert(
      fc.property(situations, situation => {
        const { inscribing, own, utxos, parent } = layOut({ ...situation, postage: 10_000n })
        expect(decodeInscribing(throughJson(encodeInscribing(inscribing)))).toEqual(inscribing)
        const commitTxid = 'cd'.repeat(32)
        const rest = { inscribing, commitTxid, own, feeRate: 22 }
        const waiting = [...inscribing.reveals.keys()]
        const replaced = waiting.map(() => null)
        const parentCoin = parent?.coin ?? null
        const bumped = bumpReveals({ ...rest, waiting, replaced, parentCoin, utxos })
        expect(decodeFeeBumpedReveals(throughJson(encodeFeeBumpedReveals(bumped)))).toEqual(bumped)
        const refund = buildRefund({ ...rest, left: waiting, replaced: [] })
        expect(decodeRefund(throughJson(encodeRefund(refund)))).toEqual(refund)
      }),
      { numRuns: 20 },
    )
  })

  it('comes back with its delivery, and without one where an earlier version stored it', () => {
    fc.assert(
      fc.property(situations, situation => {
        const { own, utxos } = layOut({ ...situation, postage: 10_000n })
        const inscribing = buildInscribing({
          ...{ ...situation, own, utxos, parent: null, postage: 546n },
          items: situation.items.slice(0, 1),
          deliverTo: scriptPubKeyOf(own.publicKey, 'p2tr'),
        })
        const stored = throughJson(encodeInscribing(inscribing))
        expect(decodeInscribing(stored)).toEqual(inscribing)
        const { delivery: _, ...earlier } = stored
        expect(decodeInscribing(earlier)).toEqual({ ...inscribing, delivery: null })
        const bumped = bumpReveals({
          ...{ inscribing, commitTxid: 'cd'.repeat(32), own, feeRate: 22, utxos },
          ...{ waiting: [0], replaced: [null], parentCoin: null },
        })
        expect(decodeFeeBumpedReveals(throughJson(encodeFeeBumpedReveals(bumped)))).toEqual(bumped)
      }),
      { numRuns: 10 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { equalBytes, toHex } from '../../bitcoin/bytes.ts'
import { feeForVsize } from '../../bitcoin/fee-rate.ts'
import { InsufficientFundsError } from '../../bitcoin/payments/coin-selection.ts'
import { FeeBumpError } from '../../bitcoin/payments/fee-bump.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { spendOf } from '../../bitcoin/testing/spending.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { feeOf, layOut, situations, spentBy } from '../testing/inscribings.ts'
import { signInscribing } from './inscribing-signature.ts'
import { buildRefund, signRefund } from './refund.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

describe('a refund', () => {
  it('gives all that is left of the commit to the account, less the fee, and no leaf is shown', () => {
    fc.assert(
      fc.property(situations, fc.nat({ max: 3 }), fc.boolean(), (situation, from, isSent) => {
        const { inscribing, own, account, previous } = layOut({ ...situation, postage: 10_000n })
        const { commit, reveals } = signInscribing(inscribing, account, previous)
        const { length } = reveals
        const left = [...reveals.keys()].slice(from % length)
        const replaced = isSent ? left.flatMap(k => inscribing.reveals[k] ?? []) : []
        const refund = buildRefund({
          inscribing,
          commitTxid: commit.txid,
          left,
          replaced,
          own,
          feeRate: 30,
        })
        const { rawTx, txid } = signRefund(refund, situation.key)
        const { inputs, outputs, vsize, txid: found } = parseTransaction(rawTx)
        const vouts = situation.hasParent ? left.flatMap(k => [k, length + k]) : left
        expect(inputs.map(({ txid, vout }) => [txid, vout])).toEqual(
          vouts.map(vout => [commit.txid, vout]),
        )
        const { script } = spendOf(own.addressType, own.publicKey)
        const elsewhere = spendOf(own.addressType, publicKeyOf(new Uint8Array(32).fill(9))).script
        const further = { ...own, changeScript: elsewhere }
        const taken = { inscribing, commitTxid: commit.txid, left, replaced, feeRate: 30 }
        const [other] = buildRefund({ ...taken, own: further }).outputs
        expect(other).toEqual({ ...refund.outputs[0], scriptPubKey: elsewhere })
        expect(outputs).toHaveLength(1)
        expect(equalBytes(outputs[0]?.scriptPubKey ?? script.subarray(1), script)).toBe(true)
        const fee = feeOf(spentBy(rawTx, [commit.rawTx], []), rawTx)
        const evicted = replaced.reduce((sum, { fee }) => sum + fee, 0n)
        const asked = feeForVsize(vsize, 30)
        const least = isSent ? evicted + BigInt(vsize) : 0n
        expect(fee).toBe(asked > least ? asked : least)
        expect(refund).toMatchObject({ fee, vsize })
        expect(txid).toBe(found)
        for (const { leaf } of inscribing.reveals) expect(toHex(rawTx)).not.toContain(toHex(leaf))
      }),
      { numRuns: 20 },
    )
  })

  it('is refused where the fee takes it all, below the rate of what it drives out, and with another key', () => {
    const [situation] = fc.sample(situations, { numRuns: 1, seed: 4 })
    if (!situation) throw new Error('no situation')
    const { inscribing, own } = layOut({
      ...situation,
      postage: 546n,
      feeRate: 1,
      hasParent: false,
    })
    const commitTxid = 'ab'.repeat(32)
    const base = { inscribing, commitTxid, left: [0], own }
    const build = (feeRate: number, replaced = inscribing.reveals.slice(0, 0)) =>
      buildRefund({ ...base, feeRate, replaced })
    expect(() => build(400)).toThrow(InsufficientFundsError)
    expect(() => build(1, inscribing.reveals.slice(0, 1))).toThrow(FeeBumpError)
    expect(() => build(0.5)).toThrow(FeeBumpError)
    expect(() => signRefund(build(1), new Uint8Array(32).fill(5))).toThrow(
      'not of this account and inscribing',
    )
    expect(() => buildRefund({ ...base, left: [9], feeRate: 1, replaced: [] })).toThrow(RangeError)
  })
})

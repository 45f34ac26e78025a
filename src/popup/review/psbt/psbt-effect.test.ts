import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  otherInput,
  otherOutput,
  ownInput,
  ownOutput,
  placeholder,
  psbtOf,
  SAVINGS,
} from '../../testing/psbt-building.ts'
import { chooseEffect, coinsFromOthers } from './psbt-effect.ts'

describe('what is said first of a PSBT', () => {
  it('is who is paid, where all inputs are ours', () => {
    const paid = otherOutput(1_020_000)
    expect(chooseEffect(psbtOf([ownInput(3_000_000)], [paid, ownOutput(1_978_590)]))).toEqual({
      kind: 'send',
      sats: 1_020_000n,
      outputs: [paid],
    })
  })
  it('counts everybody who is paid, and no note without an amount', () => {
    const note = otherOutput(0, { address: null, kind: 'data', script: '6a00' })
    const script = otherOutput(20_000, { address: null, kind: 'unknown' })
    expect(
      chooseEffect(psbtOf([ownInput(100_000)], [otherOutput(70_000), note, script])),
    ).toMatchObject({ kind: 'send', sats: 90_000n, outputs: { length: 2 } })
  })
  it('is only what we pay where others pay too, since nobody can say whom we paid', () => {
    expect(
      chooseEffect(
        psbtOf(
          [ownInput(3_000_000), otherInput(800_000)],
          [otherOutput(1_820_000), ownOutput(1_978_200)],
        ),
      ),
    ).toEqual({ kind: 'pay', sats: 1_021_800n, coins: null })
  })
  it('never says that we pay what others have to add', () => {
    expect(chooseEffect(psbtOf([ownInput(2_000_000)], [otherOutput(10_000_000)]))).toMatchObject({
      kind: 'pay',
      sats: 2_000_000n,
    })
  })
  it('names a small coin that comes from others beside its price', () => {
    expect(
      chooseEffect(
        psbtOf(
          [ownInput(600), otherInput(546), ownInput(6_000_000)],
          [ownOutput(600), ownOutput(546), otherOutput(5_000_000), ownOutput(990_000)],
        ),
      ),
    ).toEqual({ kind: 'pay', sats: 5_010_000n, coins: { count: 1, sats: 546n } })
  })
  it('names a small coin that is sold beside what is received for it', () => {
    expect(
      chooseEffect(
        psbtOf(
          [placeholder(0), placeholder(1), ownInput(546)],
          [otherOutput(0), otherOutput(0), ownOutput(5_000_000)],
        ),
      ),
    ).toEqual({ kind: 'get', sats: 5_000_000n, coins: { count: 1, sats: 546n } })
  })
  it('is what is gained where coins of ours are worth their sats', () => {
    expect(
      chooseEffect(
        psbtOf([ownInput(50_000), otherInput(900_000)], [ownOutput(440_000), otherOutput(500_000)]),
      ),
    ).toEqual({ kind: 'get', sats: 390_000n, coins: null })
  })
  it('names both accounts of a move, and else only the fee', () => {
    expect(
      chooseEffect(psbtOf([ownInput(30_000)], [ownOutput(10_000, {}, SAVINGS), ownOutput(19_000)])),
    ).toEqual({ kind: 'move', sats: 10_000n, from: 'Account 1', to: 'Savings' })
    expect(chooseEffect(psbtOf([ownInput(30_000)], [ownOutput(29_000)]))).toEqual({
      kind: 'fee',
      sats: 1_000n,
      back: true,
    })
  })
  it('names both accounts where somebody else pays the fee of a move', () => {
    const others = [otherInput(9_000, { state: 'final' })]
    expect(
      chooseEffect(psbtOf([ownInput(30_000), ...others], [ownOutput(30_000, {}, SAVINGS)])),
    ).toEqual({ kind: 'move', sats: 30_000n, from: 'Account 1', to: 'Savings' })
  })
  it('never says that something comes back where all is fee', () => {
    const note = otherOutput(0, { address: null, kind: 'data', script: '6a00' })
    expect(chooseEffect(psbtOf([ownInput(30_000)], [note]))).toEqual({
      kind: 'fee',
      sats: 30_000n,
      back: false,
    })
  })
  it('names no recipient whom others may exchange', () => {
    const view = psbtOf(
      [ownInput(10_000, { sighash: 'single-anyone' })],
      [ownOutput(5_000), otherOutput(4_000, { open: true })],
    )
    expect(chooseEffect(view)).toEqual({ kind: 'pay', sats: 5_000n, coins: null })
  })
  it('is that money is destroyed where it goes to a note and to nobody', () => {
    const note = otherOutput(9_000, { address: null, kind: 'data', script: '6a00' })
    expect(chooseEffect(psbtOf([ownInput(10_000)], [note]))).toEqual({ kind: 'burn', sats: 9_000n })
  })
  it('says what leaves a script of which our key is one', () => {
    const shared = otherInput(10_000, { owner: 'shared', state: 'to-sign', sighash: 'all' })
    expect(chooseEffect(psbtOf([shared], [otherOutput(9_000)]))).toEqual({
      kind: 'shared',
      coins: { count: 1, sats: 10_000n },
    })
    expect(chooseEffect(psbtOf([ownInput(5_000), otherInput(5_000)], [ownOutput(5_000)]))).toEqual({
      kind: 'nothing',
    })
  })
  it('is what others can take, before anything that is proposed, where a signature is blank', () => {
    const warnings = [{ kind: 'blank-signature' } as const]
    const outputs = [ownOutput(29_000)]
    const shared = otherInput(30_000, { owner: 'shared', state: 'to-sign', sighash: 'none' })
    expect(
      chooseEffect(psbtOf([ownInput(30_000)], outputs, { warnings, worst: '-30000' })),
    ).toEqual({ kind: 'blank', sats: 30_000n })
    expect(chooseEffect(psbtOf([shared], outputs, { warnings, worst: '0' }))).toEqual({
      kind: 'blank',
      sats: null,
    })
  })
  it('agrees with the net of our accounts for any amounts', () => {
    const amounts = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 30_000 })), {
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(amounts, amounts, (ins, outs) => {
        const view = psbtOf(
          ins.map(([own, sats]) => (own ? ownInput(sats) : otherInput(sats))),
          outs.map(([own, sats]) => (own ? ownOutput(sats) : otherOutput(sats))),
        )
        const net = BigInt(view.net.sats)
        const effect = chooseEffect(view)
        const fee = BigInt(view.fee?.sats ?? 0)
        if (effect.kind === 'send' || effect.kind === 'burn') expect(-effect.sats - fee).toBe(net)
        else if (effect.kind === 'fee') expect(-effect.sats).toBe(net)
        else if (effect.kind === 'pay') expect((effect.coins?.sats ?? 0n) - effect.sats).toBe(net)
        else if (effect.kind === 'get') expect(effect.sats - (effect.coins?.sats ?? 0n)).toBe(net)
        else expect(net).toBe(0n)
      }),
    )
  })
})

describe('coins that come from others', () => {
  const inputs = [ownInput(600), otherInput(546), ownInput(60_000)]
  it('hold no sat of ours', () => {
    const count = (first: number) =>
      coinsFromOthers(psbtOf(inputs, [ownOutput(first), ownOutput(546), otherOutput(50_000)])).count
    expect([599, 600, 601].map(count)).toEqual([0, 1, 0])
  })
  it('are not told where the exchange or the fee is not certain', () => {
    const view = psbtOf(inputs, [ownOutput(600), ownOutput(546), otherOutput(50_000)])
    const open = { sats: view.net.sats, certainty: 'open' } as const
    expect(coinsFromOthers({ ...view, net: open }).count).toBe(0)
    expect(coinsFromOthers({ ...view, fee: { ...open, feeRate: 9 } }).count).toBe(0)
    expect(chooseEffect({ ...view, net: open })).toMatchObject({ kind: 'pay', coins: null })
  })
  it('are not told where others can still exchange an input, or one is not certain', () => {
    const outputs = [ownOutput(600), ownOutput(546)]
    for (const input of [
      otherInput(546, { open: true }),
      otherInput(546, { proof: 'claimed' }),
      otherInput(null),
    ]) {
      expect(coinsFromOthers(psbtOf([ownInput(600), input], outputs)).count).toBe(0)
    }
  })
})

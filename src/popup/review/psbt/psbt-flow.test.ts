import { describe, expect, it } from 'vitest'
import {
  inscription,
  otherInput,
  otherOutput,
  ownInput,
  ownOutput,
  placeholder,
  psbtOf,
  SAVINGS,
} from '../../testing/psbt-building.ts'
import { flowOf } from './psbt-flow.ts'

describe('the flow picture of a PSBT', () => {
  it('marks what others can still change, and says what a placeholder stands for', () => {
    const { inputs, outputs } = flowOf(
      psbtOf(
        [placeholder(0), ownInput(546)],
        [otherOutput(0, { open: true }), ownOutput(5_000_000)],
      ),
    )
    expect(inputs.map(({ open }) => open)).toEqual([true, false])
    expect(outputs.map(({ open }) => open)).toEqual([true, false])
    expect(inputs[0]).toMatchObject({ sats: null, spoken: 'A coin somebody adds' })
  })
  it('names accounts only where there are several', () => {
    const inputs = [ownInput(30_000)]
    const labels = (view: ReturnType<typeof psbtOf>) => {
      const flow = flowOf(view)
      return [...flow.inputs, ...flow.outputs].map(({ label }) => label)
    }
    expect(labels(psbtOf(inputs, [ownOutput(29_000)]))).toEqual(['You', 'Back to you'])
    expect(labels(psbtOf(inputs, [ownOutput(29_000, {}, SAVINGS)]))).toEqual([
      'Account 1',
      'Savings',
    ])
  })
  it('never counts a shared coin as ours', () => {
    const { inputs } = flowOf(psbtOf([otherInput(9_000, { owner: 'shared' })], [ownOutput(8_000)]))
    expect(inputs[0]).toMatchObject({ own: false, spoken: 'a coin that is not yours alone' })
  })
  it('dashes a fee that others can still change, and none that holds', () => {
    const view = psbtOf([ownInput(30_000)], [ownOutput(29_000)])
    const fee = (certainty: 'certain' | 'open' | 'unknown') =>
      flowOf({ ...view, fee: { sats: '1000', feeRate: 9, certainty } }).feeOpen
    expect(fee('certain')).toBe(false)
    expect(fee('open')).toBe(true)
    expect(fee('unknown')).toBe(true)
  })
  it('lands nothing of which nobody can say where it goes', () => {
    const landing = (certainty: 'certain' | 'claimed') =>
      flowOf(
        psbtOf([ownInput(30_000)], [ownOutput(29_000)], {
          assets: [inscription('1', { to: 'own', certainty })],
        }),
      ).outputs.map(({ carries }) => carries)
    expect(landing('certain')).toEqual([[0]])
    expect(landing('claimed')).toEqual([[]])
  })
  it('draws what outputs ask and no input holds as something to come, and no fee', () => {
    const { inputs, fee } = flowOf(psbtOf([ownInput(20_000)], [otherOutput(100_000)]))
    expect(inputs.at(-1)).toMatchObject({ sats: 80_000n, own: false, open: true })
    expect(fee).toBeNull()
  })
  it('stays a picture with a thousand inputs', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => ownInput(1_000 + index))
    const others = Array.from({ length: 20 }, () => otherInput(5))
    expect(flowOf(psbtOf(many, [otherOutput(1_000)])).inputs).toMatchObject([
      { label: 'You (1,000)', spoken: 'You, 1,000 coins', sats: 1_499_500n },
    ])
    expect(
      flowOf(psbtOf([...many, ...others], [otherOutput(1_000)])).inputs.length,
    ).toBeLessThanOrEqual(8)
  })
})

import { describe, expect, it } from 'vitest'
import { otherInput, ownInput, SAVINGS } from '../../testing/psbt-building.ts'
import { groupRuns, sumRun } from './input-runs.ts'

const alike = (count: number) =>
  Array.from({ length: count }, (_, index) => ownInput(1_000 + index))
const sizes = (inputs: Parameters<typeof groupRuns>[0]) =>
  groupRuns(inputs).map(({ first, inputs: { length } }) => [first, length])

describe('a long list of inputs', () => {
  it('tells once what a thousand coins have in common, and what they hold together', () => {
    const runs = groupRuns(alike(1_000))
    expect(runs).toHaveLength(1)
    expect(runs[0] && sumRun(runs[0])).toBe(1_499_500n)
  })
  it('keeps the order, and lists few one by one', () => {
    expect(sizes([...alike(5), otherInput(7), ...alike(3)])).toEqual([
      [0, 5],
      [5, 1],
      [6, 1],
      [7, 1],
      [8, 1],
    ])
  })
  it('never hides an odd one among others', () => {
    const odd = [
      ownInput(1, { badSignature: true }),
      ownInput(1, { open: true }),
      ownInput(1, { sighash: 'none' }),
      ownInput(1, { state: 'signed' }),
      ownInput(1, { proof: 'claimed' }),
      ownInput(1, {}, SAVINGS),
      ownInput(1, { owner: 'shared' }),
    ]
    for (const input of odd) {
      expect(sizes([...alike(4), input, ...alike(4)])).toEqual([
        [0, 4],
        [4, 1],
        [5, 4],
      ])
    }
  })
  it('lists signatures of one output each by themselves', () => {
    const listings = alike(6).map(input => ({ ...input, sighash: 'single-anyone' as const }))
    expect(groupRuns(listings)).toHaveLength(6)
  })
  it('never hides a coin that carries something among others', () => {
    const runs = groupRuns(alike(9), new Set([4]))
    expect(runs.map(({ first, inputs: { length } }) => [first, length])).toEqual([
      [0, 4],
      [4, 1],
      [5, 4],
    ])
  })
  it('knows no sum while an amount is unknown', () => {
    const [run] = groupRuns([ownInput(5), ownInput(5), ownInput(5), { ...ownInput(5), sats: null }])
    expect(run && sumRun(run)).toBeNull()
  })
})

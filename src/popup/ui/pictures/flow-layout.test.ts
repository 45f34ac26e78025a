import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FLOW, type FlowEnd, groupEnds, layoutFlow, type Strand, shareOut } from './flow-layout.ts'

const end = fc.record<FlowEnd>({
  label: fc.constant('x'),
  sats: fc.option(fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n })),
  own: fc.boolean(),
})
const flow = fc.record({
  inputs: fc.array(end, { minLength: 1, maxLength: 60 }),
  outputs: fc.array(end, { minLength: 1, maxLength: 60 }),
  fee: fc.option(fc.bigInt({ min: 0n, max: 100_000_000n })),
})
const thickness = (strands: Strand[]) => strands.reduce((sum, strand) => sum + strand.thickness, 0)

describe('the flow picture', () => {
  it('draws both sides of the trunk equally thick', () => {
    fc.assert(
      fc.property(flow, sample => {
        const { inputs, outputs, fee } = layoutFlow(sample)
        expect(thickness(inputs)).toBeCloseTo(FLOW.trunk, 6)
        expect(thickness(outputs) + (fee?.thickness ?? 0)).toBeCloseTo(FLOW.trunk, 6)
      }),
    )
  })
  it('draws no strand thinner than the floor', () => {
    fc.assert(
      fc.property(flow, sample => {
        const { inputs, outputs, fee } = layoutFlow(sample)
        for (const strand of [...inputs, ...outputs, ...(fee ? [fee] : [])]) {
          expect(strand.thickness).toBeGreaterThanOrEqual(FLOW.floor - 1e-9)
        }
      }),
    )
  })
  it('lets no strand overlap another, at either end, nor leave the picture', () => {
    fc.assert(
      fc.property(flow, sample => {
        const picture = layoutFlow(sample)
        for (const side of [picture.inputs, picture.outputs]) {
          for (const [index, strand] of side.entries()) {
            const next = side[index + 1]
            if (next) {
              expect(next.inner).toBeGreaterThanOrEqual(strand.inner + strand.thickness - 1e-9)
              expect(next.outer).toBeGreaterThan(strand.outer + strand.thickness)
              expect(next.labelY - strand.labelY).toBeGreaterThanOrEqual(FLOW.label)
            }
            expect(strand.outer).toBeGreaterThanOrEqual(-1e-9)
            expect(strand.outer + strand.thickness).toBeLessThanOrEqual(picture.height + 1e-9)
          }
        }
      }),
    )
  })
  it('draws at most 24 strands and loses no sat by grouping', () => {
    fc.assert(
      fc.property(flow, sample => {
        const { inputs, outputs, fee } = layoutFlow(sample)
        expect(inputs.length + outputs.length + (fee ? 1 : 0)).toBeLessThanOrEqual(24)
      }),
    )
    const ends: FlowEnd[] = Array.from({ length: 40 }, (_, index) => ({
      label: `${index}`,
      sats: BigInt(index),
      own: index % 2 === 0,
    }))
    const grouped = groupEnds(ends, 12)
    expect(grouped).toHaveLength(12)
    expect(grouped.slice(0, 10).map(({ label }) => label)).toEqual([
      '30',
      '31',
      '32',
      '33',
      '34',
      '35',
      '36',
      '37',
      '38',
      '39',
    ])
    expect(grouped.slice(10).map(({ label }) => label)).toEqual(['15 more of yours', '15 more'])
    expect(grouped.reduce((sum, { sats }) => sum + (sats ?? 0n), 0n)).toBe(780n)
  })
  it('lets inputs that are not known hold what the others do not, so that a small coin never seems to pay everything', () => {
    const { inputs } = layoutFlow({
      inputs: [
        { label: 'somebody', sats: null, own: false },
        { label: 'a coin', sats: 546n, own: true },
      ],
      outputs: [{ label: 'a price', sats: 5_000_000n, own: true }],
      fee: null,
    })
    expect(inputs.map(strand => strand.thickness)).toEqual([FLOW.trunk - FLOW.floor, FLOW.floor])
  })
  it('says of a group that others can change it as soon as they can change a part of it', () => {
    const ends: FlowEnd[] = [5n, 4n, 3n, 2n].map(sats => ({ label: 'x', sats, own: false }))
    expect(groupEnds(ends, 3).at(-1)?.open).toBe(false)
    const last: FlowEnd = { label: 'x', sats: 1n, own: false, open: true }
    expect(groupEnds([...ends, last], 3).at(-1)?.open).toBe(true)
  })
  it('says that a group with an unknown part is unknown', () => {
    const ends: FlowEnd[] = [5n, 4n, 3n, null].map(sats => ({ label: 'x', sats, own: false }))
    expect(groupEnds(ends, 3).at(-1)).toMatchObject({ label: '3 more', sats: null })
  })
})

describe('sharing out', () => {
  it('is in proportion where everything is above the floor', () => {
    expect(shareOut([1n, 3n], 100, 2)).toEqual([25, 75])
  })
  it('lifts small ones to the floor at the cost of large ones', () => {
    expect(shareOut([1n, 1_000_000n, 1_000_000n], 100, 4)).toEqual([4, 48, 48])
  })
  it('divides equally what has no value', () => {
    expect(shareOut([0n, 0n], 100, 4)).toEqual([50, 50])
    expect(shareOut([], 100, 4)).toEqual([])
  })
})

describe('the ways of inscriptions and runes', () => {
  const asset = { told: '', lost: false, share: null }
  const to = (sats: bigint, ...carries: number[]): FlowEnd => ({
    label: 'x',
    sats,
    own: true,
    carries,
  })
  it('lead from the strand that carries them to the one that they land in, or into the fee', () => {
    const { assetPaths, inputs, outputs } = layoutFlow({
      inputs: [to(546n, 0), to(90_000n, 1), to(9_000n, 2)],
      outputs: [to(80_000n, 1), to(546n, 0)],
      fee: 19_000n,
      assets: [asset, asset, { ...asset, lost: true }],
      feeCarries: [2],
    })
    const middle = (strand: Strand | undefined) =>
      (strand?.outer ?? 0) + (strand?.thickness ?? 0) / 2
    expect(assetPaths.map(({ lost }) => lost)).toEqual([false, false, true])
    expect(assetPaths[0]?.from.y).toBeCloseTo(middle(inputs[0]), 1)
    expect(assetPaths[0]?.to?.y).toBeCloseTo(middle(outputs[1]), 1)
    expect(assetPaths[2]?.to?.x).toBeLessThan(FLOW.width / 2 + 20)
  })
  it('land at the exact sat of a wide strand', () => {
    const { assetPaths, outputs } = layoutFlow({
      inputs: [to(100n, 0)],
      outputs: [to(100n, 0)],
      fee: null,
      assets: [{ ...asset, share: 0.25 }],
    })
    const [strand] = outputs
    expect(assetPaths[0]?.to?.y).toBeCloseTo((strand?.outer ?? 0) + (strand?.thickness ?? 0) / 4, 1)
  })
  it('are one where they go together, and end nowhere where nobody knows', () => {
    const { assetPaths } = layoutFlow({
      inputs: [to(100n, 0, 1, 2)],
      outputs: [to(100n, 0, 1)],
      fee: null,
      assets: [asset, asset, asset],
    })
    expect(assetPaths.map(({ count, to }) => [count, to === null])).toEqual([
      [2, false],
      [1, true],
    ])
  })
  it('stay drawn when small coins among many are grouped', () => {
    const many = Array.from({ length: 30 }, (_, at) => to(BigInt(90_000 + at)))
    const { inputs } = layoutFlow({
      inputs: [to(546n, 0), ...many],
      outputs: [to(1n)],
      fee: null,
      assets: [asset],
    })
    expect(inputs[0]?.end).toMatchObject({ label: 'x', carries: [0] })
    const laden = Array.from({ length: 30 }, (_, at) => to(546n, at))
    expect(groupEnds(laden, 12).flatMap(({ carries = [] }) => carries)).toHaveLength(30)
  })
})

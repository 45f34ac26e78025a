import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flowSats, type SatLanding } from './sat-flow.ts'

/** Where one sat lands. */
function follow(inputs: bigint[], outputs: bigint[], input: number, offset: bigint) {
  return flowSats({ inputs, outputs, assets: [{ input, offset }] })[0]?.to
}

/** Hands out one sat after the other; `landings[input][offset]`. */
function dealSats(inputs: readonly bigint[], outputs: readonly bigint[]): SatLanding[][] {
  const places: SatLanding[] = outputs.flatMap((value, output) =>
    Array.from({ length: Number(value) }, (_, offset) => ({ output, offset: BigInt(offset) })),
  )
  return inputs.map(value => Array.from({ length: Number(value) }, () => places.shift() ?? 'fee'))
}

const values = fc.array(fc.bigInt({ min: 0n, max: 6n }), { maxLength: 6 })

describe('flowSats', () => {
  it('agrees with dealing out single sats, whatever the order of the assets', () => {
    let fees = 0
    let landed = 0
    fc.assert(
      fc.property(values, values, fc.infiniteStream(fc.nat()), (inputs, outputs, keys) => {
        const dealt = dealSats(inputs, outputs)
        const expected = dealt
          .flatMap((landings, input) =>
            landings.map((to, offset) => ({ asset: { input, offset: BigInt(offset) }, to })),
          )
          .map(move => ({ move, key: keys.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ move }) => move)
        const assets = expected.map(({ asset }) => asset)
        expect(flowSats({ inputs, outputs, assets })).toEqual(expected)
        fees += expected.filter(({ to }) => to === 'fee').length
        landed += expected.filter(({ to }) => to !== 'fee').length
      }),
      { numRuns: 300 },
    )
    expect(Math.min(fees, landed)).toBeGreaterThan(300)
  })

  it('keeps sat and offset where inputs and outputs are paired by value', () => {
    const inputs = [546n, 10_000n, 330n, 50_000n]
    expect(follow(inputs, [546n, 10_000n, 330n, 49_000n], 1, 9_999n)).toEqual({
      output: 1,
      offset: 9_999n,
    })
  })

  it('puts the last sat of an output inside it and the next one behind it', () => {
    expect(follow([1_000n], [600n, 300n], 0, 599n)).toEqual({ output: 0, offset: 599n })
    expect(follow([1_000n], [600n, 300n], 0, 600n)).toEqual({ output: 1, offset: 0n })
    expect(follow([1_000n], [600n, 300n], 0, 899n)).toEqual({ output: 1, offset: 299n })
    expect(follow([1_000n], [600n, 300n], 0, 900n)).toBe('fee')
  })

  it('lets an output without sats hold nothing, wherever it stands', () => {
    expect(follow([5n], [0n, 0n, 5n], 0, 0n)).toEqual({ output: 2, offset: 0n })
    expect(follow([5n], [3n, 0n, 2n], 0, 3n)).toEqual({ output: 2, offset: 0n })
    expect(follow([5n], [5n, 0n], 0, 4n)).toEqual({ output: 0, offset: 4n })
    expect(follow([5n], [4n, 0n], 0, 4n)).toBe('fee')
    expect(follow([5n], [], 0, 0n)).toBe('fee')
  })

  it('moves several assets of one sat together', () => {
    const asset = { input: 1, offset: 2n }
    const to = { output: 0, offset: 7n }
    expect(
      flowSats({ inputs: [5n, 5n], outputs: [8n], assets: [{ ...asset }, { ...asset }] }),
    ).toEqual([
      { asset, to },
      { asset, to },
    ])
  })

  it('hands back the very asset it was given', () => {
    const asset = { input: 0, offset: 0n, id: 'an inscription' }
    expect(flowSats({ inputs: [1n], outputs: [1n], assets: [asset] })[0]?.asset).toBe(asset)
  })

  it('places what it can while inputs of other signers are still missing', () => {
    expect(follow([546n], [546n, 100_000n], 0, 545n)).toEqual({ output: 0, offset: 545n })
  })

  it('stays exact with all sats there will ever be', () => {
    const all = 2_099_999_997_690_000n
    expect(follow([1n, all], [2n, all], 1, all - 1n)).toEqual({ output: 1, offset: all - 2n })
  })

  it.each([
    ['of an input that there is not', 2, 0n],
    ['before the first input', -1, 0n],
    ['past the end of its input', 0, 3n],
    ['before the start of its input', 0, -1n],
    ['in an input without sats', 1, 0n],
  ])('refuses an asset %s', (_, input, offset) => {
    expect(() => follow([3n, 0n], [3n], input, offset)).toThrow('holds no sat')
  })

  it('follows fifty thousand assets through as many inputs and outputs', () => {
    const inputs = Array.from({ length: 50_000 }, (_, i) => BigInt(546 + (i % 7)))
    const assets = inputs.map((value, input) => ({ input, offset: value - 1n })).reverse()
    const moves = flowSats({ inputs, outputs: inputs, assets })
    const strays = moves.filter(
      ({ asset, to }) => to === 'fee' || to.output !== asset.input || to.offset !== asset.offset,
    )
    expect(moves).toHaveLength(50_000)
    expect(strays).toEqual([])
  })
})

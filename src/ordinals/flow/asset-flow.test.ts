import { describe, expect, it } from 'vitest'
import type { Asset, CoinAssets } from '../asset.ts'
import { runestoneScript } from '../testing/runestone-script.ts'
import { traceAssets } from './asset-flow.ts'

const PAYMENT = Uint8Array.of(0x51)
const MEMO = Uint8Array.of(0x6a, 0x01, 0x2a)
const UNKNOWN: CoinAssets = { known: false, why: 'unanswered' }

const holding = (...assets: Asset[]): CoinAssets => ({ known: true, assets })
const inscribed = (offset: bigint | null, name = 'i0') =>
  ({ kind: 'inscription', id: name, offset }) as const
const gold = (amount: bigint, rune: string | null = '5:1') =>
  ({ kind: 'rune', name: 'GOLD', rune, amount, divisibility: 0, symbol: null }) as const
const pay = (amount: bigint, scriptPubKey: Uint8Array = PAYMENT) => ({ amount, scriptPubKey })

/** Where each asset of inputs (sats, assets) goes. */
function trace(inputs: [bigint | null, CoinAssets][], outputs: ReturnType<typeof pay>[]) {
  return traceAssets({
    inputs: inputs.map(([amount, assets]) => ({ amount, assets })),
    outputs,
  }).moves.map(({ to }) => to)
}

describe('inscriptions', () => {
  const CLEAN = holding()

  it('fall through the outputs sat by sat, and past the last one into the fee', () => {
    const input = holding(inscribed(0n), inscribed(1_000n), inscribed(1_499n), inscribed(1_500n))
    expect(trace([[2_000n, input]], [pay(1_000n), pay(500n)])).toEqual([
      { kind: 'output', output: 0, offset: 0n },
      { kind: 'output', output: 1, offset: 0n },
      { kind: 'output', output: 1, offset: 499n },
      { kind: 'fee' },
    ])
  })

  it('burn on an OP_RETURN', () => {
    expect(trace([[600n, holding(inscribed(0n))]], [pay(600n, MEMO)])).toEqual([
      { kind: 'burned', output: 0 },
    ])
    expect(trace([[600n, holding(inscribed(0n))]], [pay(0n, MEMO), pay(600n)])).toEqual([
      { kind: 'output', output: 1, offset: 0n },
    ])
  })

  it('are followed past inputs of unknown content, and not past unknown amounts', () => {
    const own = holding(inscribed(3n))
    const outputs = [pay(800n), pay(600n)]
    const second = { kind: 'output', output: 1, offset: 3n }
    expect(
      trace(
        [
          [800n, UNKNOWN],
          [600n, own],
        ],
        outputs,
      ),
    ).toEqual([second])
    expect(
      trace(
        [
          [null, CLEAN],
          [600n, own],
        ],
        outputs,
      ),
    ).toEqual([{ kind: 'unknown' }])
    expect(
      trace(
        [
          [800n, CLEAN],
          [600n, own],
          [null, CLEAN],
        ],
        outputs,
      ),
    ).toEqual([second])
    expect(
      trace(
        [
          [800n, CLEAN],
          [null, own],
        ],
        outputs,
      ),
    ).toEqual([second])
  })

  it('of a sat of unknown place are where all sats of their coin are, if that is one place', () => {
    const own = holding(inscribed(null))
    expect(trace([[600n, own]], [pay(600n)])).toEqual([{ kind: 'output', output: 0, offset: null }])
    expect(trace([[600n, own]], [pay(600n, MEMO)])).toEqual([{ kind: 'burned', output: 0 }])
    expect(
      trace(
        [
          [500n, CLEAN],
          [600n, own],
        ],
        [pay(500n)],
      ),
    ).toEqual([{ kind: 'fee' }])
    expect(trace([[600n, own]], [pay(599n)])).toEqual([{ kind: 'unknown' }])
    expect(trace([[600n, own]], [pay(300n), pay(300n)])).toEqual([{ kind: 'unknown' }])
    expect(trace([[null, own]], [pay(600n)])).toEqual([{ kind: 'unknown' }])
    expect(trace([[1n, own]], [pay(1n)])).toEqual([{ kind: 'output', output: 0, offset: 0n }])
  })

  it('on a sat that their coin has not are nowhere that anybody knows', () => {
    expect(trace([[600n, holding(inscribed(600n))]], [pay(9_000n)])).toEqual([{ kind: 'unknown' }])
    expect(trace([[600n, holding(inscribed(-1n))]], [pay(9_000n)])).toEqual([{ kind: 'unknown' }])
  })

  it('are in the fee for certain once they lie past all outputs, however little an input before has', () => {
    const behindUnknown = (offset: bigint, ...outputs: ReturnType<typeof pay>[]) =>
      trace(
        [
          [200n, CLEAN],
          [null, CLEAN],
          [600n, holding(inscribed(offset))],
        ],
        outputs,
      )
    expect(behindUnknown(100n, pay(200n), pay(100n))).toEqual([{ kind: 'fee' }])
    expect(behindUnknown(99n, pay(200n), pay(100n))).toEqual([{ kind: 'unknown' }])
  })
})

describe('runes', () => {
  it('go to the first output that is no OP_RETURN', () => {
    expect(trace([[600n, holding(gold(5n))]], [pay(0n, MEMO), pay(500n)])).toEqual([
      { kind: 'output', output: 1, offset: null },
    ])
  })

  it('of several inputs are parted in their order, the burnt ones last', () => {
    const runestone = runestoneScript([0, 5, 1, 6, 1, 0, 0, 3, 2])
    const { moves } = traceAssets({
      inputs: [
        { amount: 600n, assets: holding(gold(4n)) },
        { amount: null, assets: UNKNOWN },
        { amount: 600n, assets: holding(gold(6n)) },
      ],
      outputs: [pay(546n), pay(546n), pay(0n, runestone)],
    })
    expect(moves).toEqual([
      { asset: gold(1n), input: 0, to: { kind: 'output', output: 0, offset: null } },
      { asset: gold(3n), input: 0, to: { kind: 'output', output: 1, offset: null } },
      { asset: gold(3n), input: 2, to: { kind: 'output', output: 1, offset: null } },
      { asset: gold(3n), input: 2, to: { kind: 'burned', output: null } },
    ])
  })

  it('burn in a malformed runestone', () => {
    const cenotaph = runestoneScript([126, 0])
    const outputs = [pay(546n), pay(0n, cenotaph)]
    expect(trace([[600n, holding(gold(4n), gold(1n, null))]], outputs)).toEqual([
      { kind: 'burned', output: null },
      { kind: 'burned', output: null },
    ])
  })

  it('of an unknown id are followed only where no edict may mean them', () => {
    const own = holding(gold(4n, null))
    const edict = runestoneScript([0, 5, 1, 6, 1])
    const pointer = runestoneScript([22, 1])
    expect(trace([[600n, own]], [pay(1n), pay(1n), pay(0n, edict)])).toEqual([{ kind: 'unknown' }])
    expect(trace([[600n, own]], [pay(1n), pay(1n), pay(0n, pointer)])).toEqual([
      { kind: 'output', output: 1, offset: null },
    ])
  })
})

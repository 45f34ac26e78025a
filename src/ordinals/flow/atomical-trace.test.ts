import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Asset, AtomicalAsset, CoinAssets } from '../asset.ts'
import { nftOf, tokenOf } from '../testing/atomical-assets.ts'
import { inscription, RUNES } from '../testing/test-assets.ts'
import { type TracedInput, type TracedOperation, traceAssets } from './asset-flow.ts'

const PAYMENT = Uint8Array.of(0x51)
const MEMO = Uint8Array.of(0x6a, 0x01, 0x2a)
const FALSE_MEMO = Uint8Array.of(0x00, 0x6a)
const UNKNOWN: CoinAssets = { known: false, why: 'unanswered' }
const UNKNOWN_PLACE = { kind: 'unknown' }

const pay = (amount: bigint, scriptPubKey: Uint8Array = PAYMENT) => ({ amount, scriptPubKey })
const on = (...assets: Asset[]): TracedInput => ({
  amount: 1_000n,
  assets: { known: true, assets },
})
/** What is known of a coin that may hold more. */
const partly = (...assets: Asset[]): TracedInput => ({ ...on(...assets), mayHoldMore: true })
const unknown: TracedInput = { amount: 1_000n, assets: UNKNOWN }
const lands = (output: number) => ({ kind: 'output', output, offset: null })

function trace(
  inputs: TracedInput[],
  outputs: ReturnType<typeof pay>[],
  operation?: TracedOperation,
) {
  return traceAssets({ inputs, outputs, ...(operation === undefined ? {} : { operation }) }).moves
}

const placesOf = (...traced: Parameters<typeof trace>) => trace(...traced).map(({ to }) => to)

describe('NFTs of Atomicals', () => {
  const outputs = [pay(900n), pay(900n), pay(900n)]

  it('go by the inputs that hold any, whatever else lies between', () => {
    const inputs = [on(nftOf(1)), on(inscription(1, 0n)), on(nftOf(2), RUNES)]
    expect(trace(inputs, outputs)).toEqual([
      { asset: nftOf(1), input: 0, to: lands(0) },
      { asset: inscription(1, 0n), input: 1, to: { ...lands(1), offset: 100n } },
      { asset: RUNES, input: 2, to: lands(0) },
      { asset: nftOf(2), input: 2, to: lands(1) },
    ])
  })

  it('burn on an output that nobody can spend only where there is no first one', () => {
    expect(placesOf([on(nftOf(1)), on(nftOf(2))], [pay(900n), pay(0n, MEMO)])).toEqual([
      lands(0),
      lands(0),
    ])
    expect(placesOf([on(nftOf(1))], [pay(0n, MEMO), pay(9n)])).toEqual([
      { kind: 'burned', output: 0 },
    ])
    expect(placesOf([on(nftOf(1))], [pay(0n, FALSE_MEMO)])).toEqual([{ kind: 'burned', output: 0 }])
  })

  it('are certain before inputs of unknown content, and not behind them', () => {
    expect(placesOf([on(nftOf(1)), unknown, on(nftOf(2))], outputs)).toEqual([
      lands(0),
      UNKNOWN_PLACE,
    ])
    expect(placesOf([partly(), on(nftOf(2))], outputs)).toEqual([UNKNOWN_PLACE])
    // An input that is known to hold one counts once, whatever more it holds.
    expect(placesOf([partly(nftOf(1)), on(nftOf(2))], outputs)).toEqual([lands(0), lands(1)])
  })

  it('are certain where every place is the same one', () => {
    expect(placesOf([unknown, on(nftOf(2))], [pay(900n), pay(0n, MEMO)])).toEqual([lands(0)])
    expect(placesOf([unknown, on(nftOf(2))], [pay(900n)])).toEqual([lands(0)])
  })

  it('follow operations', () => {
    const say = (operation: 'x' | 'y' | 'sl') => ({ operation, payload: new Map(), input: 0 })
    const inputs = [on(nftOf(2), nftOf(1))]
    expect(placesOf(inputs, outputs)).toEqual([lands(0), lands(0)])
    expect(placesOf(inputs, outputs, say('x'))).toEqual([lands(1), lands(0)])
    expect(placesOf([unknown, ...inputs], outputs, say('x'))).toEqual([
      UNKNOWN_PLACE,
      UNKNOWN_PLACE,
    ])
    expect(placesOf([unknown, ...inputs], outputs, say('y'))).toEqual([lands(0), lands(0)])
    expect(placesOf([on(nftOf(1))], outputs, say('sl'))).toEqual([{ kind: 'burned', output: null }])
  })

  it('go nobody knows where while an operation may still come', () => {
    expect(
      placesOf([on(nftOf(1), tokenOf(2, 5n), inscription(1, 0n))], outputs, 'unknown'),
    ).toEqual([{ ...lands(0), offset: 0n }, UNKNOWN_PLACE, UNKNOWN_PLACE])
  })
})

describe('tokens', () => {
  const outputs = [pay(600n), pay(0n, MEMO), pay(600n), pay(600n)]

  it('are parted over outputs, the first input’s units first, and burn where sats are lacking', () => {
    expect(trace([on(tokenOf(1, 1_000n)), on(), on(tokenOf(1, 900n))], outputs)).toEqual([
      { asset: tokenOf(1, 600n), input: 0, to: lands(0) },
      { asset: tokenOf(1, 400n), input: 0, to: lands(2) },
      { asset: tokenOf(1, 200n), input: 2, to: lands(2) },
      { asset: tokenOf(1, 600n), input: 2, to: lands(3) },
      { asset: tokenOf(1, 100n), input: 2, to: { kind: 'burned', output: null } },
    ])
  })

  it('keep their place before inputs of unknown content if they come first, and else do not', () => {
    expect(placesOf([on(tokenOf(1, 700n)), unknown], outputs)).toEqual([lands(0), lands(2)])
    expect(placesOf([on(tokenOf(1, 7n)), on(tokenOf(2, 9n)), unknown], outputs)).toEqual([
      lands(0),
      UNKNOWN_PLACE,
    ])
    expect(placesOf([unknown, on(tokenOf(1, 7n))], outputs)).toEqual([UNKNOWN_PLACE])
    expect(placesOf([partly(tokenOf(1, 7n))], outputs)).toEqual([UNKNOWN_PLACE])
  })

  it('are certain where only one output can be spent', () => {
    const single = [pay(0n, MEMO), pay(600n)]
    expect(trace([unknown, on(tokenOf(1, 700n)), on(tokenOf(2, 5n))], single)).toEqual([
      { asset: tokenOf(1, 600n), input: 1, to: lands(1) },
      { asset: tokenOf(1, 100n), input: 1, to: { kind: 'burned', output: null } },
      { asset: tokenOf(2, 5n), input: 2, to: lands(1) },
    ])
    expect(placesOf([unknown, on(tokenOf(1, 7n))], [pay(0n, MEMO)])).toEqual([
      { kind: 'burned', output: null },
    ])
  })

  it('burn on an output that a split or a colouring puts them on and nobody can spend', () => {
    const split = { operation: 'y', payload: new Map(), input: 0 } as const
    expect(placesOf([unknown, on(tokenOf(1, 7n))], [pay(9n, MEMO), pay(9n)], split)).toEqual([
      { kind: 'burned', output: 0 },
    ])
  })

  it('made of nothing by a colouring are the last holder’s', () => {
    const wishes = new Map([
      [0n, 500n],
      [2n, 500n],
    ])
    const colouring = {
      operation: 'z',
      payload: new Map([[tokenOf(1, 0n).id, wishes]]),
      input: 0,
    } as const
    expect(trace([on(tokenOf(1, 400n)), on(tokenOf(1, 200n))], outputs, colouring)).toEqual([
      { asset: tokenOf(1, 400n), input: 0, to: lands(0) },
      { asset: tokenOf(1, 100n), input: 1, to: lands(0) },
      { asset: tokenOf(1, 500n), input: 1, to: lands(2) },
    ])
  })
})

it('the moves of an asset add up to it, whatever is known of other inputs', () => {
  const assets = fc.record({
    input: fc.nat({ max: 3 }),
    id: fc.integer({ min: 1, max: 3 }),
    amount: fc.bigInt({ min: 1n, max: 50n }),
  })
  const scripts = fc.constantFrom(PAYMENT, PAYMENT, MEMO)
  const outputs = fc.array(fc.tuple(fc.bigInt({ min: 0n, max: 40n }), scripts), { maxLength: 4 })
  const knowledge = fc.array(fc.constantFrom('known', 'more', 'unknown'), {
    minLength: 4,
    maxLength: 4,
  })
  fc.assert(
    fc.property(fc.array(assets, { maxLength: 6 }), outputs, knowledge, (held, paid, known) => {
      const inputs = known.map((how, input): TracedInput => {
        const here: AtomicalAsset[] = held
          .filter(one => one.input === input)
          .map(({ id, amount }) => tokenOf(id, amount))
        if (how === 'unknown') return unknown
        return how === 'more' ? partly(...here) : on(...here)
      })
      const moves = trace(inputs, [pay(1n), ...paid.map(([sats, script]) => pay(sats, script))])
      for (const [input, { assets }] of inputs.entries()) {
        const total = assets.known
          ? assets.assets.reduce(
              (sum, one) => sum + (one.kind === 'atomical' ? one.amount : 0n),
              0n,
            )
          : 0n
        const moved = moves.filter(move => move.input === input)
        expect(
          moved.reduce(
            (sum, { asset }) => sum + (asset.kind === 'atomical' ? asset.amount : 0n),
            0n,
          ),
        ).toBe(total)
      }
    }),
    { numRuns: 2_000 },
  )
})

import { describe, expect, it } from 'vitest'
import type { AtomicalId } from '../../ordinals/atomical-id.ts'
import { decodeTransaction } from '../chain/transaction-record.ts'
import { type ColourOperation, colour, type SpentAtomical } from './colouring.ts'
import { parseOperation } from './operation.ts'
import { PAINT, SPLIT } from './testing/published-transactions.ts'

const TAPROOT = Uint8Array.of(0x51, 32, ...new Uint8Array(32).fill(7))
const RETURN = Uint8Array.of(0x6a)

type Output = number | 'return'

function run(
  spent: readonly SpentAtomical[],
  outputs: readonly Output[],
  operation: ColourOperation | null = null,
) {
  const { landed, burned, isClean, first } = colour({
    spent,
    outputs: outputs.map(output =>
      output === 'return'
        ? { value: 0n, script: RETURN }
        : { value: BigInt(output), script: TAPROOT },
    ),
    operation,
  })
  const at: Record<number, Record<AtomicalId, number>> = {}
  for (const { output, id, amount } of landed) {
    at[output] = { ...at[output], [id]: Number(amount) }
  }
  const lost = Object.fromEntries(burned.map(({ id, amount }) => [id, Number(amount)]))
  return { at, lost, isClean, first }
}

function ft(input: number, id: AtomicalId, amount: number): SpentAtomical {
  return { input, id, type: 'ft', amount: BigInt(amount) }
}

function nft(input: number, id: AtomicalId, amount = 1000): SpentAtomical {
  return { input, id, type: 'nft', amount: BigInt(amount) }
}

/** Inputs from 0 on with these amounts. */
function fts(id: AtomicalId, ...amounts: readonly number[]): SpentAtomical[] {
  return amounts.map((amount, input) => ft(input, id, amount))
}

const ATOM = '56a8702bab3d2405eb9a356fd0705ca112a93a8efd1ecca06c6085e7278f0341i0'
const OTHER = '56a8702bab3d2405eb9a356fd0705ca112a93a8efd1ecca06c6085e7278f0341i1'
const B4 = '9527efa43262636d8f5917fc763fbdd09333e4b387afd6d4ed7a905a127b27b4i0'
const A13 = '8888e25790cc118773c8590522e1cab2ccc073a9375b238aaf9aadb13a764a13i0'
const MINE = '6787f39b5d2fc020eb0f8e68cd925f297065c5c82c86d175cce1a9beaa411239i0'
const THREE = [1000, 1000, 1000]

function published(hex: string, payload?: Record<string, unknown>): ColourOperation {
  const tx = decodeTransaction(hex)
  const operation = tx && parseOperation(tx)
  if (!operation) throw new Error('no operation')
  return { op: operation.op, payload: payload ?? operation.payload }
}

/** Cases, inputs and expected values of atomicals-electrumx' test_atomicals_blueprint_builder.py. */
describe('the blueprint tests', () => {
  it('empty_spends', () => {
    expect(run([], [11_120_600])).toEqual({ at: {}, lost: {}, isClean: true, first: null })
  })

  it('ft_burned', () => {
    const { at, lost, first } = run(fts(ATOM, ...new Array(11).fill(1000)), [1000])
    expect(Object.keys(at)).toEqual(['0'])
    expect(lost).toEqual({ [ATOM]: 10_000 })
    expect(first).toBe(ATOM)
  })

  it('ft_valid', () => {
    const { at, lost, first } = run(fts(ATOM, ...new Array(11).fill(1000)), [11_000])
    expect(at).toEqual({ 0: { [ATOM]: 11_000 } })
    expect(lost).toEqual({})
    expect(first).toBe(ATOM)
  })

  it('ft_multiple_valid_collapsed', () => {
    const a = [0, 2, 4, 6, 8, 10].map(input => ft(input, OTHER, input === 0 ? 1000 : 2000))
    const b = [1, 3, 5, 7, 9].map(input => ft(input, ATOM, input === 1 ? 3000 : 2000))
    const { at, lost, isClean, first } = run([...a, ...b], [11_000])
    expect(Object.keys(at)).toEqual(['0'])
    expect({ lost, isClean, first }).toEqual({ lost: {}, isClean: false, first: OTHER })
  })

  it('ft_single_burned_over, and ft_single_split', () => {
    const { at, lost, first } = run([ft(0, ATOM, 11_001)], [11_000])
    expect({ at, lost, first }).toEqual({
      at: { 0: { [ATOM]: 11_000 } },
      lost: { [ATOM]: 1 },
      first: ATOM,
    })
  })

  it('single_ft_partially_colored_transfer', () => {
    const { at, lost, first } = run([ft(0, ATOM, 500)], [11_000])
    expect({ at, lost, first }).toEqual({ at: { 0: { [ATOM]: 500 } }, lost: {}, first: ATOM })
  })

  it('multiple_ft_partially_colored_merged', () => {
    const a = [501, 1000, 2000, 2000, 2000, 2000].map((amount, i) => ft(2 * i, OTHER, amount))
    const b = [3000, 2000, 2000, 2000, 2000].map((amount, i) => ft(2 * i + 1, ATOM, amount))
    expect(run([...a, ...b], [11_000])).toEqual({
      at: { 0: { [OTHER]: 9501, [ATOM]: 11_000 } },
      lost: {},
      isClean: false,
      first: OTHER,
    })
  })

  it('multiple_nft_and_ft_partially_colored_merged', () => {
    const { at, lost, isClean } = run([ft(1, A13, 1100), nft(1, B4, 1100)], THREE)
    expect(at).toEqual({ 0: { [A13]: 1000, [B4]: 1100 }, 1: { [A13]: 100 } })
    expect({ lost, isClean }).toEqual({ lost: {}, isClean: false })
  })

  it('ft_split_one_token', () => {
    const outputs = [1454, 1430, 5000]
    const more = run([ft(0, ATOM, 900), ft(1, ATOM, 555)], outputs)
    expect(more.at).toEqual({ 0: { [ATOM]: 1454 }, 1: { [ATOM]: 1 } })
    expect(more).toMatchObject({ lost: {}, first: ATOM })
    const less = run([ft(0, ATOM, 900), ft(1, ATOM, 553)], outputs)
    expect(less).toEqual({ at: { 0: { [ATOM]: 1453 } }, lost: {}, isClean: false, first: ATOM })
  })

  it.each([
    [1000, 1100, { 0: { [A13]: 1000 }, 1: { [A13]: 100, [B4]: 1000 } }, {}],
    [1100, 1000, { 0: { [A13]: 1000 }, 1: { [B4]: 1000 }, 2: { [B4]: 100 } }, {}],
    [1100, 1100, { 0: { [A13]: 1000 }, 1: { [A13]: 100, [B4]: 1000 }, 2: { [B4]: 100 } }, {}],
    [2100, 1000, { 0: { [A13]: 1000 }, 1: { [B4]: 1000 }, 2: { [B4]: 1000 } }, { [B4]: 100 }],
  ])('ft_y_split_ft_normal: %i and %i units', (b4, a13, at, lost) => {
    const result = run([ft(1, B4, b4), ft(1, A13, a13)], THREE, published(SPLIT))
    expect({ at: result.at, lost: result.lost }).toEqual({ at, lost })
  })

  it.each([
    [1100, { 0: { [A13]: 1000 }, 1: { [B4]: 1000 }, 2: { [B4]: 100 } }, {}],
    [2100, { 0: { [A13]: 1000 }, 1: { [B4]: 1000 }, 2: { [B4]: 1000 } }, { [B4]: 100 }],
  ])('y_split_nft_and_ft: %i units', (units, at, lost) => {
    const result = run([ft(1, B4, units), nft(1, A13)], THREE, published(SPLIT))
    expect({ at: result.at, lost: result.lost }).toEqual({ at, lost })
  })

  it('custom_colored_ft_normal', () => {
    const spent = [ft(1, B4, 1000), ft(1, A13, 1000)]
    const over = { [B4]: { 0: 200, 1: 300 }, [A13]: { 2: 8000, 4: 8000 } }
    const first = run(spent, THREE, { op: 'z', payload: over })
    expect(Object.keys(first.at)).toEqual(['0', '1', '2'])
    expect(first.isClean).toBe(false)
    expect(first.lost).toEqual({ [B4]: 500 })
    const exact = { [B4]: { 1: 1000 }, [A13]: { 2: 1000 } }
    expect(run(spent, THREE, { op: 'z', payload: exact })).toMatchObject({
      at: { 1: { [B4]: 1000 }, 2: { [A13]: 1000 } },
      lost: {},
      isClean: true,
    })
  })

  it('custom_colored_ft_normal1', () => {
    expect(run([ft(0, MINE, 546)], [546, 546], published(PAINT))).toEqual({
      at: { 0: { [MINE]: 200 }, 1: { [MINE]: 346 } },
      lost: {},
      isClean: false,
      first: MINE,
    })
  })

  it.each([
    [{ [MINE]: { 1: 1000 } }, ['1'], 0],
    [{ [MINE]: { 1: 546 } }, ['1'], 0],
    [{}, [], 1],
  ])('custom_colored_nft_normal: %o', (payload, places, burned) => {
    const result = run([nft(0, MINE)], [546, 546], published(PAINT, payload))
    expect(Object.keys(result.at)).toEqual(places)
    expect(Object.keys(result.lost)).toHaveLength(burned)
    expect(result.isClean).toBe(true)
  })

  it('partially_colored_spends_are_payments_satisfied_checks', () => {
    const result = run([ft(1, OTHER, 2)], [25_000, 25_000, 'return'])
    expect(result).toMatchObject({ at: { 0: { [OTHER]: 2 } }, lost: {}, isClean: false })
  })
})

describe('NFTs', () => {
  it('go to the output whose number is their input’s among those that hold one', () => {
    const result = run([nft(1, A13), nft(3, B4), nft(3, MINE)], [600, 600, 600, 600])
    expect(result.at).toEqual({ 0: { [A13]: 1000 }, 1: { [B4]: 1000, [MINE]: 1000 } })
  })

  it('go to output 0 where their own is an OP_RETURN, or is not there', () => {
    const result = run([nft(0, A13), nft(1, B4), nft(2, MINE)], [600, 'return'])
    expect(result.at).toEqual({ 0: { [A13]: 1000, [B4]: 1000, [MINE]: 1000 } })
  })

  it('are parted by x, by the bytes of their ids: wire order, so the last digits come first', () => {
    const splat = { op: 'x', payload: {} }
    const result = run([nft(0, B4), nft(0, MINE), nft(0, A13)], THREE, splat)
    expect(result.at).toEqual({ 0: { [A13]: 1000 }, 1: { [MINE]: 1000 }, 2: { [B4]: 1000 } })
    const few = run([nft(0, B4), nft(0, MINE), nft(0, A13)], [600], splat)
    expect(Object.keys(few.at)).toEqual(['0'])
  })

  it('all go to output 0 with y, and with z as soon as several outputs are named', () => {
    expect(run([nft(0, A13), nft(1, B4)], THREE, { op: 'y', payload: {} }).at).toEqual({
      0: { [A13]: 1000, [B4]: 1000 },
    })
    const payload = { [A13]: { 1: 600, 2: 400 } }
    expect(run([nft(0, A13)], THREE, { op: 'z', payload }).at).toEqual({ 0: { [A13]: 1000 } })
  })
})

describe('tokens', () => {
  it('follow each other by their first inputs, each from the output behind the one before', () => {
    expect(run([ft(0, B4, 1000), ft(1, A13, 600)], [1000, 600, 5000])).toEqual({
      at: { 0: { [B4]: 1000 }, 1: { [A13]: 600 } },
      lost: {},
      isClean: true,
      first: B4,
    })
  })

  it('are taken by the bytes of their ids where they share an input', () => {
    expect(run([ft(0, B4, 600), ft(0, A13, 600)], [600, 600]).at).toEqual({
      0: { [A13]: 600 },
      1: { [B4]: 600 },
    })
  })

  it('leave OP_RETURNs out', () => {
    expect(run([ft(0, B4, 1500)], ['return', 1000, 'return', 1000]).at).toEqual({
      1: { [B4]: 1000 },
      3: { [B4]: 500 },
    })
  })

  it('all begin again at output 0 where one finds no output', () => {
    const result = run([ft(0, B4, 1500), ft(1, A13, 300)], [1000, 1000])
    expect(result.at).toEqual({ 0: { [B4]: 1000, [A13]: 300 }, 1: { [B4]: 500 } })
    expect(result).toMatchObject({ lost: {}, isClean: false })
  })

  it('are lost where every output is an OP_RETURN', () => {
    expect(run([ft(0, B4, 1500)], ['return'])).toMatchObject({ at: {}, lost: { [B4]: 1500 } })
  })

  it('of no units fill nothing to the sat', () => {
    expect(run([ft(0, B4, 0)], ['return'])).toMatchObject({ at: {}, lost: {}, isClean: false })
    expect(run([ft(0, B4, 0)], [1000]).at).toEqual({ 0: { [B4]: 0 } })
  })

  it('are painted by what a map says last of an output', () => {
    const paint = (...wishes: [string, number][]) => {
      const payload = new Map([[B4, new Map(wishes)]])
      return run([ft(0, B4, 600)], [1000], { op: 'z', payload }).at
    }
    expect(paint(['1', 9], ['00', 200], ['0', 100])).toEqual({ 0: { [B4]: 100 } })
    expect(paint(['0', 100], ['00', 200])).toEqual({ 0: { [B4]: 200 } })
  })

  it('are painted by z beyond what there is, as the server’s rule has it', () => {
    const payload = { [B4]: { 0: 1000 } }
    expect(run([ft(0, B4, 600)], [1000], { op: 'z', payload })).toMatchObject({
      at: { 0: { [B4]: 1000 } },
      lost: {},
    })
  })

  it('are split by integers alone', () => {
    const split = (skip: unknown) =>
      run([ft(0, B4, 600)], THREE, { op: 'y', payload: { [B4]: skip } })
    expect([1000n, 1000, '1000', -1000n].map(skip => Object.keys(split(skip).at))).toEqual([
      ['1'],
      ['0'],
      ['0'],
      ['0'],
    ])
  })

  it('are not moved by an x, nor by what is no operation of transfers', () => {
    for (const op of ['x', 'mod', 'dat']) {
      expect(run([ft(0, B4, 600)], [1000], { op, payload: {} }).at).toEqual({ 0: { [B4]: 600 } })
    }
  })
})

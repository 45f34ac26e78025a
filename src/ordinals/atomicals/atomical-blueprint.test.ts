import { describe, expect, it } from 'vitest'
import { decodeTransaction } from '../../bitcoin/transaction.ts'
import { type AtomicalHolding, flowAtomicals } from '../flow/atomical-flow.ts'
import {
  CUSTOM_COLOUR_TRANSACTION,
  CUSTOM_TOKEN,
  OTHER_TOKEN,
  SPLIT_TOKEN,
  SPLIT_TRANSACTION,
} from '../testing/atomical-transactions.ts'
import { type AtomicalOperation, parseAtomicalOperation } from './atomical-envelope.ts'
import type { CborValue } from './atomical-payload.ts'

const MEMO = Uint8Array.of(0x6a, 0x01, 0x2a)
const PAYMENT = Uint8Array.of(0x51)
const pay = (amount: bigint, scriptPubKey: Uint8Array = PAYMENT) => ({ amount, scriptPubKey })
const ft = (input: number, id: string, amount: bigint): AtomicalHolding => ({
  input,
  id,
  type: 'ft',
  amount,
})
const nft = (input: number, id: string): AtomicalHolding => ({ input, id, type: 'nft', amount: 1n })
const colourBy = (payload: [CborValue, CborValue][]): AtomicalOperation => ({
  operation: 'z',
  payload: new Map(payload),
  input: 0,
})

/** Moves as `id, units, where`, in their order. */
function flow(
  holdings: AtomicalHolding[],
  outputs: ReturnType<typeof pay>[],
  operation: AtomicalOperation | null = null,
): [string, bigint, number | string][] {
  return flowAtomicals({ holdings, outputs, operation }).map(({ id, amount, to }) => [
    id,
    amount,
    to,
  ])
}

/** Outputs and operation of a transaction of the chain. */
function readChain(raw: Uint8Array) {
  const { ins, outs } = decodeTransaction(raw)
  const operation = parseAtomicalOperation(ins.map(({ witness }) => witness))
  if (!operation) throw new Error('No operation')
  return {
    outputs: outs.map(({ script, value }) => ({ scriptPubKey: script, amount: value })),
    operation,
  }
}

describe('test_atomicals_blueprint_builder.py, after custom colouring', () => {
  // The test writes the output of the first id backwards.
  const LATE = '56a8702bab3d2405eb9a356fd0725ca112a93a8efd1ecca06c6085e7278f0341i16777216'
  const EARLY = '56a8702bab3d2405eb9a356fd0725ca112a93a8efd1ecca06c6085e7278f0341i0'
  const ELEVEN_THOUSAND = [pay(11_000n)]

  it('spends_ft_single_split: burns what no output has sats for', () => {
    expect(flow([ft(0, LATE, 11_001n)], ELEVEN_THOUSAND)).toEqual([
      [LATE, 11_000n, 0],
      [LATE, 1n, 'burnt'],
    ])
  })

  it('spends_single_ft_partially_colored_transfer', () => {
    expect(flow([ft(0, LATE, 500n)], ELEVEN_THOUSAND)).toEqual([[LATE, 500n, 0]])
  })

  it('spends_multiple_ft_partially_colored_merged: lays both over the one output', () => {
    const holdings = [501n, 3_000n, 1_000n].concat(Array(8).fill(2_000n))
    const both = holdings.map((amount, input) => ft(input, input % 2 === 0 ? LATE : EARLY, amount))
    expect(flow(both, ELEVEN_THOUSAND)).toEqual([
      [LATE, 9_501n, 0],
      [EARLY, 11_000n, 0],
    ])
  })

  it('spends_multiple_nft_and_ft_partially_colored_merged', () => {
    const holdings = [ft(1, OTHER_TOKEN, 1_100n), nft(1, SPLIT_TOKEN)]
    expect(flow(holdings, [pay(1_000n), pay(1_000n), pay(1_000n)])).toEqual([
      [SPLIT_TOKEN, 1n, 0],
      [OTHER_TOKEN, 1_000n, 0],
      [OTHER_TOKEN, 100n, 1],
    ])
  })

  it('spends_ft_split_one_token', () => {
    const outputs = [pay(1_454n), pay(366_287n), pay(5_000n)]
    expect(flow([ft(0, LATE, 900n), ft(1, LATE, 555n)], outputs)).toEqual([
      [LATE, 1_454n, 0],
      [LATE, 1n, 1],
    ])
    expect(flow([ft(0, LATE, 900n), ft(1, LATE, 553n)], outputs)).toEqual([[LATE, 1_453n, 0]])
  })

  it('spends_fts_are_payments_satisfied_checks: passes an OP_RETURN over', () => {
    const outputs = [pay(25_000n), pay(25_000n), pay(0n, MEMO)]
    expect(flow([ft(0, EARLY, 50_000n)], outputs)).toEqual([
      [EARLY, 25_000n, 0],
      [EARLY, 25_000n, 1],
    ])
    expect(flow([ft(1, EARLY, 2n)], outputs)).toEqual([[EARLY, 2n, 0]])
  })

  describe('ft_y_split_ft_normal', () => {
    const { outputs, operation } = readChain(SPLIT_TRANSACTION)
    const split = (named: bigint, other: bigint) =>
      flow([ft(1, SPLIT_TOKEN, named), ft(1, OTHER_TOKEN, other)], outputs, operation)

    it.each<[bigint, bigint, [string, bigint, number | string][]]>([
      [
        1_000n,
        1_100n,
        [
          [OTHER_TOKEN, 1_000n, 0],
          [OTHER_TOKEN, 100n, 1],
          [SPLIT_TOKEN, 1_000n, 1],
        ],
      ],
      [
        1_100n,
        1_000n,
        [
          [OTHER_TOKEN, 1_000n, 0],
          [SPLIT_TOKEN, 1_000n, 1],
          [SPLIT_TOKEN, 100n, 2],
        ],
      ],
      [
        1_100n,
        1_100n,
        [
          [OTHER_TOKEN, 1_000n, 0],
          [OTHER_TOKEN, 100n, 1],
          [SPLIT_TOKEN, 1_000n, 1],
          [SPLIT_TOKEN, 100n, 2],
        ],
      ],
      [
        2_100n,
        1_000n,
        [
          [OTHER_TOKEN, 1_000n, 0],
          [SPLIT_TOKEN, 1_000n, 1],
          [SPLIT_TOKEN, 1_000n, 2],
          [SPLIT_TOKEN, 100n, 'burnt'],
        ],
      ],
    ])('parts %s and %s units', (named, other, expected) => {
      expect(split(named, other)).toEqual(expected)
    })

    it('y_split_nft_and_ft', () => {
      const holdings = [ft(1, SPLIT_TOKEN, 1_100n), nft(1, OTHER_TOKEN)]
      expect(flow(holdings, outputs, operation)).toEqual([
        [OTHER_TOKEN, 1n, 0],
        [SPLIT_TOKEN, 1_000n, 1],
        [SPLIT_TOKEN, 100n, 2],
      ])
    })
  })

  it('custom_colored_ft_normal', () => {
    const outputs = [pay(1_000n), pay(1_000n), pay(1_000n)]
    const holdings = [ft(1, SPLIT_TOKEN, 1_000n), ft(1, OTHER_TOKEN, 1_000n)]
    const rough = colourBy([
      [
        SPLIT_TOKEN,
        new Map([
          ['0', 200n],
          ['1', 300n],
        ]),
      ],
      [
        OTHER_TOKEN,
        new Map([
          ['2', 8_000n],
          ['4', 8_000n],
        ]),
      ],
    ])
    expect(flow(holdings, outputs, rough)).toEqual([
      [OTHER_TOKEN, 1_000n, 2],
      [SPLIT_TOKEN, 200n, 0],
      [SPLIT_TOKEN, 300n, 1],
      [SPLIT_TOKEN, 500n, 'burnt'],
    ])
    const clean = colourBy([
      [SPLIT_TOKEN, new Map([['1', 1_000n]])],
      [OTHER_TOKEN, new Map([['2', 1_000n]])],
    ])
    expect(flow(holdings, outputs, clean)).toEqual([
      [OTHER_TOKEN, 1_000n, 2],
      [SPLIT_TOKEN, 1_000n, 1],
    ])
  })

  it('custom_colored_ft_normal1', () => {
    const { outputs, operation } = readChain(CUSTOM_COLOUR_TRANSACTION)
    expect(flow([ft(0, CUSTOM_TOKEN, 546n)], outputs, operation)).toEqual([
      [CUSTOM_TOKEN, 200n, 0],
      [CUSTOM_TOKEN, 346n, 1],
    ])
  })

  it('custom_colored_nft_normal', () => {
    const { outputs, operation } = readChain(CUSTOM_COLOUR_TRANSACTION)
    const send = (...wishes: [CborValue, CborValue][]) =>
      flow([nft(0, CUSTOM_TOKEN)], outputs, colourBy([[CUSTOM_TOKEN, new Map(wishes)]]))
    expect(send([1n, 1_000n])).toEqual([[CUSTOM_TOKEN, 1n, 1]])
    expect(send(['1', 546n])).toEqual([[CUSTOM_TOKEN, 1n, 1]])
    expect(flow([nft(0, CUSTOM_TOKEN)], outputs, colourBy([]))).toEqual([
      [CUSTOM_TOKEN, 1n, 'burnt'],
    ])
    // Named onto two outputs, it goes to the first of all.
    expect(flow([nft(0, CUSTOM_TOKEN)], outputs, operation)).toEqual([[CUSTOM_TOKEN, 1n, 0]])
  })
})

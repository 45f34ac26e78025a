import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AtomicalOperation } from '../atomicals/atomical-envelope.ts'
import type { CborValue } from '../atomicals/atomical-payload.ts'
import { type AtomicalHolding, flowAtomicals } from './atomical-flow.ts'

const PAYMENT = Uint8Array.of(0x51)
const MEMO = Uint8Array.of(0x6a, 0x01, 0x2a)
const FALSE_MEMO = Uint8Array.of(0x00, 0x6a)

const pay = (amount: bigint, scriptPubKey: Uint8Array = PAYMENT) => ({ amount, scriptPubKey })
const ft = (input: number, id: string, amount: bigint): AtomicalHolding => ({
  input,
  id,
  type: 'ft',
  amount,
})
const nft = (input: number, id: string): AtomicalHolding => ({ input, id, type: 'nft', amount: 1n })

/** Ids whose order by bytes is the order of their numbers. */
const idOf = (n: number) => `${'00'.repeat(31)}${n.toString(16).padStart(2, '0')}i0`
const [A, B, C] = [idOf(1), idOf(2), idOf(3)] as [string, string, string]

function say(
  operation: AtomicalOperation['operation'],
  payload: [CborValue, CborValue][] = [],
  input = 0,
): AtomicalOperation {
  return { operation, payload: new Map(payload), input }
}

/** Moves as `id, units, where`, in their order. */
function flow(
  holdings: AtomicalHolding[],
  outputs: ReturnType<typeof pay>[],
  operation: AtomicalOperation | null = null,
  open: number[] = [],
): [string, bigint, number | string][] {
  return flowAtomicals({ holdings, outputs, operation, open: new Set(open) }).map(
    ({ id, amount, to }) => [id, amount, to],
  )
}

describe('NFTs', () => {
  const outputs = [pay(1n), pay(0n, MEMO), pay(1n), pay(0n, FALSE_MEMO)]

  it('go by the count of inputs that hold any; to the first output where theirs is missing or unspendable', () => {
    const holdings = [nft(2, C), nft(2, A), nft(5, B)]
    expect(flow(holdings, [pay(1n), pay(1n)])).toEqual([
      [C, 1n, 0],
      [A, 1n, 0],
      [B, 1n, 1],
    ])
    const five = [0, 1, 2, 3, 4].map(input => nft(input, idOf(9 - input)))
    expect(flow(five, outputs).map(([, , to]) => to)).toEqual([0, 0, 2, 0, 0])
    expect(flow([nft(0, A)], [pay(0n, MEMO), pay(1n)])).toEqual([[A, 1n, 0]])
  })

  it('are on outputs of segwit version 0, which begin with OP_FALSE too', () => {
    const witness = Uint8Array.of(0x00, 0x14, ...new Uint8Array(20))
    const two = [pay(1n, witness), pay(1n, witness)]
    expect(flow([nft(0, A), nft(1, B)], two)).toEqual([
      [A, 1n, 0],
      [B, 1n, 1],
    ])
  })

  it('part from each other by their ids in a splat', () => {
    const holdings = [nft(0, C), nft(0, A), nft(3, B)]
    expect(flow(holdings, outputs, say('x')).map(([, , to]) => to)).toEqual([2, 0, 0])
    expect(flow(holdings, outputs, say('x', [], 1)).map(([, , to]) => to)).toEqual([0, 0, 0])
  })

  it('go where a custom colouring names one output, and to the first one where it names more', () => {
    const three = [pay(1n), pay(1n), pay(1n)]
    const send = (...wishes: [CborValue, CborValue][]) =>
      flow([nft(0, A)], three, say('z', [[A, new Map(wishes)]])).map(([, , to]) => to)
    expect(send([2n, 1n])).toEqual([2])
    expect(send([1n, 1n], [2n, 1n])).toEqual([0])
    expect(send([1n, 1n], [7n, 1n])).toEqual([0])
    expect(send([1n, 1n], ['x', 0n])).toEqual([0])
    expect([send([3n, 1n]), send([1n, 0n]), send([-1n, 1n])]).toEqual([
      ['burnt'],
      ['burnt'],
      ['burnt'],
    ])
  })

  it('go to the first output in a split, and nowhere once sealed', () => {
    const holdings = [nft(0, C), nft(1, A)]
    expect(flow(holdings, [pay(1n), pay(1n)], say('y')).map(([, , to]) => to)).toEqual([0, 0])
    expect(flow(holdings, outputs, say('sl')).map(([, , to]) => to)).toEqual(['burnt', 'burnt'])
    expect(flow(holdings, [pay(1n), pay(1n)], say('mod')).map(([, , to]) => to)).toEqual([0, 1])
  })
})

describe('tokens', () => {
  it('begin behind each other, by their first inputs, then by their ids', () => {
    const outputs = [pay(10n), pay(0n, MEMO), pay(10n), pay(10n), pay(10n)]
    const holdings = [ft(1, C, 5n), ft(1, A, 15n), ft(0, B, 10n), ft(2, B, 0n)]
    expect(flow(holdings, outputs)).toEqual([
      [B, 10n, 0],
      [A, 10n, 2],
      [A, 5n, 3],
      [C, 5n, 4],
    ])
  })

  it('all begin at the first output when one finds no place', () => {
    expect(flow([ft(0, A, 15n), ft(1, B, 12n)], [pay(10n), pay(10n), pay(0n, MEMO)])).toEqual([
      [A, 10n, 0],
      [A, 5n, 1],
      [B, 10n, 0],
      [B, 2n, 1],
    ])
  })

  it('burn where there is no place at all', () => {
    expect(flow([ft(0, A, 3n)], [pay(0n, MEMO), pay(9n, FALSE_MEMO)])).toEqual([[A, 3n, 'burnt']])
  })

  it('colour in a split what nobody can spend too, and skip no more than is asked', () => {
    const outputs = [pay(10n, MEMO), pay(10n), pay(10n)]
    const holdings = [ft(0, A, 12n)]
    expect(flow(holdings, outputs, say('y'))).toEqual([
      [A, 10n, 0],
      [A, 2n, 1],
    ])
    expect(flow(holdings, outputs, say('y', [[A, 11n]]))).toEqual([
      [A, 10n, 2],
      [A, 2n, 'burnt'],
    ])
    expect(flow(holdings, outputs, say('y', [[A, true]]))[0]).toEqual([A, 10n, 1])
    for (const wish of [-5n, 1.5, '10', null])
      expect(flow(holdings, outputs, say('y', [[A, wish]]))[0]).toEqual([A, 10n, 0])
  })

  it('of a custom colouring read numbers as Python does', () => {
    const wishes: [CborValue, CborValue][] = [
      [' +0 ', 1.9],
      [1n, '0_2'],
      [Uint8Array.of(0x32), 3n],
      ['3x', 9n],
      [4n, 'many'],
      [5n, -1n],
      ['x5', 9n],
      [6n, '-1'],
    ]
    const outputs = Array.from({ length: 7 }, () => pay(10n))
    expect(flow([ft(0, A, 10n)], outputs, say('z', [[A, new Map(wishes)]]))).toEqual([
      [A, 1n, 0],
      [A, 2n, 1],
      [A, 3n, 2],
      [A, 4n, 'burnt'],
    ])
  })

  it('of a custom colouring get all that is asked while any are left', () => {
    const wishes = new Map([
      [0n, 8n],
      [1n, 8n],
      [2n, 8n],
    ])
    const outputs = [pay(10n), pay(10n), pay(10n)]
    expect(flow([ft(0, A, 10n)], outputs, say('z', [[A, wishes]]))).toEqual([
      [A, 8n, 0],
      [A, 8n, 1],
    ])
    expect(flow([ft(0, A, 10n)], outputs, say('z', [[A, 5n]]))).toEqual([[A, 10n, 'burnt']])
  })
})

const situations = fc.record({
  holdings: fc.array(
    fc.record({
      input: fc.nat({ max: 4 }),
      id: fc.integer({ min: 1, max: 6 }),
      amount: fc.bigInt({ min: 0n, max: 40n }),
    }),
    { maxLength: 8 },
  ),
  outputs: fc.array(
    fc.record({
      amount: fc.bigInt({ min: 0n, max: 30n }),
      scriptPubKey: fc.constantFrom(PAYMENT, PAYMENT, PAYMENT, MEMO, FALSE_MEMO),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  operation: fc.option(
    fc.record({
      operation: fc.constantFrom('x', 'y', 'z', 'sl', 'mod'),
      wishes: fc.array(fc.bigInt({ min: -1n, max: 60n }), { maxLength: 6 }),
      input: fc.constantFrom(0, 0, 1),
    }),
  ),
})
type Situation = typeof situations extends fc.Arbitrary<infer T> ? T : never

/** Ids of odd numbers are NFTs, which are on one input each. */
function buildSituation({ holdings, outputs, operation }: Situation) {
  const seen = new Set<number>()
  return {
    holdings: holdings.flatMap(({ input, id, amount }) => {
      if (id % 2 === 0) return [ft(input, idOf(id), amount)]
      if (seen.has(id)) return []
      seen.add(id)
      return [nft(input, idOf(id))]
    }),
    outputs,
    operation: operation && say(operation.operation, listWishes(operation), operation.input),
  }
}

/** Sats to pass over by id, or units by id and output. */
function listWishes({ operation, wishes }: NonNullable<Situation['operation']>) {
  return wishes.map((wish, i): [CborValue, CborValue] => {
    const byOutput = wishes.map((units, at) => [BigInt((at + i) % 6), units] as const)
    return [idOf(i), operation === 'z' ? new Map(byOutput.slice(i)) : wish]
  })
}

describe('whatever the transaction', () => {
  it('every unit is on an output or burned, none is made, no output has more of one than sats, and no NFT is lost', () => {
    fc.assert(
      fc.property(situations, sample => {
        const situation = buildSituation(sample)
        const { holdings, outputs, operation } = situation
        const moves = flowAtomicals(situation)
        const units = (of: { id: string; amount: bigint }[], id: string) =>
          of.reduce((sum, one) => sum + (one.id === id ? one.amount : 0n), 0n)
        const isCustom = operation?.operation === 'z' && operation.input === 0
        if (!isCustom)
          for (const { id } of holdings) expect(units(moves, id)).toBe(units(holdings, id))
        for (const { type, amount, to } of moves) {
          expect(amount >= 0n).toBe(true)
          if (typeof to === 'number' && type === 'ft')
            expect(amount <= (outputs[to]?.amount ?? -1n)).toBe(true)
          if (typeof to === 'number') expect(to).toBeLessThan(outputs.length)
          const isSealed = operation?.operation === 'sl' && operation.input === 0
          if (type === 'nft' && !isSealed && !isCustom) expect(to).not.toBe('burnt')
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it('one token colours sat by sat', () => {
    fc.assert(
      fc.property(situations, fc.bigInt({ min: 1n, max: 99n }), ({ outputs }, amount) => {
        // Every sat that can be spent, as the number of its output.
        const sats = outputs.flatMap(({ amount: sats, scriptPubKey }, output) =>
          scriptPubKey === PAYMENT ? Array<number>(Number(sats)).fill(output) : [],
        )
        const coloured = sats.slice(0, Number(amount))
        const expected = outputs.map(
          (_, output) => coloured.filter(place => place === output).length,
        )
        const units = outputs.map(() => 0)
        for (const [, part, to] of flow([ft(0, A, amount)], outputs))
          if (typeof to === 'number') units[to] = (units[to] ?? 0) + Number(part)
        expect(units).toEqual(expected)
      }),
      { numRuns: 1_000 },
    )
  })

  it('what is told although inputs are not known is true whatever they hold', () => {
    const seen = { known: 0, unknown: 0 }
    fc.assert(
      fc.property(
        situations,
        fc.uniqueArray(fc.nat({ max: 4 }), { maxLength: 3 }),
        (sample, hidden) => {
          const { holdings, outputs, operation } = buildSituation(sample)
          const known = holdings.filter(({ input }) => !hidden.includes(input))
          const truth = flowAtomicals({ holdings, outputs, operation })
          const told = flowAtomicals({ holdings: known, outputs, operation, open: new Set(hidden) })
          for (const { id, type, amount, to } of told) {
            if (to === 'unknown') seen.unknown++
            if (to === 'unknown') continue
            seen.known++
            const real = truth.filter(move => move.id === id && move.to === to)
            const units = real.reduce((sum, move) => sum + move.amount, 0n)
            expect([type, units >= amount]).toEqual([type, true])
          }
        },
      ),
      { numRuns: 3_000 },
    )
    expect(Math.min(seen.known, seen.unknown)).toBeGreaterThan(100)
  })

  it('one without outputs burns all', () => {
    for (const operation of [null, say('x'), say('y'), say('z')])
      expect(flow([nft(0, A), ft(1, B, 5n)], [], operation)).toEqual([
        [A, 1n, 'burnt'],
        [B, 5n, 'burnt'],
      ])
  })

  it('one that holds no ids is refused', () => {
    expect(() => flow([nft(0, 'no id'), nft(0, A)], [pay(1n)], say('x'))).toThrow('atomical id')
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decipherRunestone } from '../runes/runestone.ts'
import { describeRuneMoves, flowElsewhere, MINTED } from '../testing/rune-oracle.ts'
import { runestoneScript } from '../testing/runestone-script.ts'
import { flowRunes, type RuneBalance } from './rune-flow.ts'

const PAYMENT = Uint8Array.of(0x51)
const MEMO = Uint8Array.of(0x6a, 0x01, 0x2a)

const ETCHING = [2, 1]
const POINTER = 22
const BODY = 0

const gold = (amount: bigint) => ({ rune: '5:1', amount })

/** What happens to 100 units of rune 5:1 under the runestone of these integers, which is the last output. */
function flowGold(integers: readonly number[], before: Uint8Array[] = [PAYMENT, PAYMENT]) {
  const scriptPubKeys = [...before, runestoneScript(integers)]
  return flowRunes({ balances: [gold(100n)], scriptPubKeys }).map(({ amount, to }) => [amount, to])
}

describe('flowRunes', () => {
  it('sends all runes to the first output that is no OP_RETURN where there is no runestone', () => {
    const balances = [gold(7n), { rune: '9:0', amount: 1n }, gold(3n)]
    expect(flowRunes({ balances, scriptPubKeys: [MEMO, PAYMENT, PAYMENT] })).toEqual([
      { ...gold(10n), to: 1 },
      { rune: '9:0', amount: 1n, to: 1 },
    ])
  })

  it('burns all runes where every output is an OP_RETURN', () => {
    expect(flowGold([], [MEMO])).toEqual([[100n, 'burnt']])
    expect(flowRunes({ balances: [gold(1n)], scriptPubKeys: [] })).toEqual([
      { ...gold(1n), to: 'burnt' },
    ])
  })

  it('sends what no edict gives away to the pointer', () => {
    expect(flowGold([POINTER, 1])).toEqual([[100n, 1]])
    expect(flowGold([POINTER, 1, BODY, 5, 1, 30, 0])).toEqual([
      [30n, 0],
      [70n, 1],
    ])
  })

  it('burns what a pointer or an edict gives to an OP_RETURN', () => {
    expect(flowGold([POINTER, 2])).toEqual([[100n, 'burnt']])
    expect(flowGold([BODY, 5, 1, 30, 2])).toEqual([
      [70n, 0],
      [30n, 'burnt'],
    ])
  })

  it('burns all runes of a cenotaph, whose edicts and pointer count for nothing', () => {
    expect(flowGold([POINTER, 1, 126, 0, BODY, 5, 1, 30, 0])).toEqual([[100n, 'burnt']])
  })

  it('gives what is left where an edict asks for more, or for 0', () => {
    expect(flowGold([BODY, 5, 1, 60, 0, 0, 0, 60, 1])).toEqual([
      [60n, 0],
      [40n, 1],
    ])
    expect(flowGold([BODY, 5, 1, 0, 1])).toEqual([[100n, 1]])
  })

  it('splits all of it evenly where an edict gives 0 to all, with the odd units in front', () => {
    expect(flowGold([BODY, 5, 1, 0, 4], [PAYMENT, PAYMENT, PAYMENT])).toEqual([
      [34n, 0],
      [33n, 1],
      [33n, 2],
    ])
    expect(flowGold([BODY, 5, 1, 2, 2, 0, 0, 0, 4], [PAYMENT, PAYMENT, PAYMENT])).toEqual([
      [33n, 0],
      [33n, 1],
      [34n, 2],
    ])
    expect(flowGold([POINTER, 2, BODY, 5, 1, 0, 4], [PAYMENT, PAYMENT, PAYMENT])).toEqual([
      [34n, 0],
      [33n, 1],
      [33n, 2],
    ])
    expect(flowGold([BODY, 5, 1, 0, 4], [MEMO, PAYMENT, PAYMENT])).toEqual([
      [50n, 1],
      [50n, 2],
    ])
  })

  it('gives all the same amount while there is enough', () => {
    const three = [PAYMENT, PAYMENT, PAYMENT]
    expect(flowGold([BODY, 5, 1, 20, 4, 0, 0, 30, 4], three)).toEqual([
      [50n, 0],
      [30n, 1],
      [20n, 2],
    ])
    expect(flowGold([BODY, 5, 1, 20, 2], [MEMO])).toEqual([[100n, 'burnt']])
  })

  it('gives the premine of a rune that the transaction etches by the id 0:0', () => {
    const scriptPubKeys = [PAYMENT, PAYMENT, runestoneScript([...ETCHING, BODY, 0, 0, 8, 1])]
    expect(flowRunes({ balances: [{ rune: '0:0', amount: 9n }], scriptPubKeys })).toEqual([
      { rune: '0:0', amount: 1n, to: 0 },
      { rune: '0:0', amount: 8n, to: 1 },
    ])
  })

  it('conserves every rune, and goes where another index sends it', async () => {
    const seen = { runestones: 0, splits: 0, burns: 0, mints: 0, premines: 0 }
    await fc.assert(
      fc.asyncProperty(transactions, async ({ balances, scriptPubKeys }) => {
        const runestone = decipherRunestone(scriptPubKeys)
        const granted = grantsOf(scriptPubKeys)
        const moves = flowRunes({ balances: [...balances, ...granted], scriptPubKeys })
        expect(sumByRune(moves)).toEqual(sumByRune([...balances, ...granted]))
        expect(moves.filter(({ amount }) => amount <= 0n)).toEqual([])
        expect(describeRuneMoves(moves)).toEqual(await flowElsewhere(balances, scriptPubKeys))

        if (runestone.kind === 'runestone') {
          seen.runestones++
          if (runestone.edicts.some(({ output }) => output === scriptPubKeys.length)) seen.splits++
          if (runestone.mint !== null) seen.mints++
          if (runestone.etching !== null) seen.premines++
        }
        if (moves.some(({ to }) => to === 'burnt')) seen.burns++
      }),
      { numRuns: 700 },
    )
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(15)
  })

  it('deals thousands of edicts to thousands of outputs without trying every pair', () => {
    const outputs = 20_000
    const edicts = Array.from({ length: 20_000 }, () => [0, 0, 1, outputs + 1]).flat()
    const scriptPubKeys = [
      ...Array<Uint8Array>(outputs).fill(PAYMENT),
      runestoneScript([BODY, 5, 1, 1, outputs + 1, ...edicts]),
    ]
    const moves = flowRunes({ balances: [gold(2n ** 127n)], scriptPubKeys })
    expect(moves).toHaveLength(outputs)
    expect(moves.at(-1)).toEqual({ ...gold(20_001n), to: outputs - 1 })
  })
})

/** Ids and amounts are few and small, so that edicts meet balances and run them dry. */
const units = fc.oneof(fc.bigInt(0n, 40n), fc.bigInt(0n, 2n ** 120n))
const edicts = fc.array(
  fc.record({
    block: fc.constantFrom(0n, 0n, 0n, 1n),
    tx: fc.constantFrom(0n, 0n, 1n, 2n),
    amount: fc.oneof(fc.constant(0n), fc.bigInt(1n, 30n), units),
    output: fc.nat(59),
  }),
  { maxLength: 6 },
)
const transactions = fc.record({
  balances: fc.array(
    fc.record({ rune: fc.constantFrom('5:0', '5:1', '5:1', '5:2', '6:1'), amount: units }),
    { maxLength: 6 },
  ),
  scriptPubKeys: fc
    .record({
      outputs: fc.array(fc.constantFrom<Uint8Array[]>(PAYMENT, PAYMENT, PAYMENT, MEMO), {
        maxLength: 6,
      }),
      at: fc.nat(4),
      head: fc.array(fc.constantFrom([20, 5, 20, 1], [2, 1, 6, 25], [126, 0], [127, 0], [127, 1]), {
        maxLength: 2,
      }),
      pointer: fc.option(fc.nat(59)),
      start: fc.constantFrom([0n, 0n], [5n, 0n], [5n, 1n], [5n, 1n]),
      edicts: fc.option(edicts),
    })
    .map(({ outputs, at, head, pointer, start, edicts }) => {
      if (!edicts) return outputs
      const count = outputs.length + 1
      const runestone = runestoneScript([
        ...head.flat(),
        ...(pointer === null ? [] : [POINTER, pointer % count]),
        BODY,
        ...edicts.flatMap(({ block, tx, amount, output }, i) => [
          ...(i === 0 ? start : [block, tx]),
          ...[amount, output % (count + 1)],
        ]),
      ])
      return outputs.toSpliced(at, 0, runestone)
    }),
})

/** What the other index grants: a mint of rune 5:1, and the premine of a nameless rune, which no cenotaph has. */
function grantsOf(scriptPubKeys: readonly Uint8Array[]): RuneBalance[] {
  const runestone = decipherRunestone(scriptPubKeys)
  if (runestone.kind === 'none') return []
  const minted = runestone.mint === null ? [] : [{ rune: runestone.mint, amount: MINTED }]
  const premine = runestone.kind === 'runestone' ? runestone.etching?.premine : null
  return premine ? [...minted, { rune: '0:0', amount: premine }] : minted
}

function sumByRune(balances: readonly RuneBalance[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { rune, amount } of balances) sums.set(rune, (sums.get(rune) ?? 0n) + amount)
  return new Map([...sums].filter(([, sum]) => sum > 0n).sort())
}

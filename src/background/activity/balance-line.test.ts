import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { traceBalance } from './balance-line.ts'

/** A block with what it did to the account; times of blocks may fall. */
type Block = { at: number; nets: number[] }

const HOUR = 3_600_000

/** Blocks one upon another, each payment of at most what the account holds by then. */
const chains = fc
  .array(
    fc.record({
      after: fc.integer({ min: -2 * HOUR, max: 5 * HOUR }),
      moves: fc.array(
        fc.oneof(
          fc.record({ in: fc.integer({ min: 0, max: 2_100_000_000_000_000 }) }),
          fc.record({ outOf: fc.integer({ min: 0, max: 1000 }) }),
        ),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    { maxLength: 30 },
  )
  .map(drawn => {
    const blocks: Block[] = []
    let at = 1_700_000_000_000
    let held = 0
    for (const { after, moves } of drawn) {
      at += after
      const nets = moves.map(move => {
        const net =
          'in' in move
            ? Math.min(move.in, 2_100_000_000_000_000 - held)
            : -Math.floor((held / 1000) * move.outOf)
        held += net
        return net
      })
      blocks.push({ at, nets })
    }
    return blocks
  })

/** Forwards from nothing: a block counts at a time where neither it nor one on top of it is dated later than all that follow allow. */
function sumForwards(blocks: readonly Block[], time: number): bigint {
  let held = 0n
  for (const [height, { nets }] of blocks.entries()) {
    const isThere = blocks.slice(height).some(({ at }) => at <= time)
    if (isThere) for (const net of nets) held += BigInt(net)
  }
  return held
}

const newestFirst = (blocks: readonly Block[], from = 0) =>
  blocks
    .flatMap(({ at, nets }, height) => nets.map(net => ({ height, at, net })))
    .slice(from)
    .reverse()

const totalOf = (blocks: readonly Block[]) => sumForwards(blocks, Number.POSITIVE_INFINITY)

/** Right at, before and after each block, and long before all. */
const momentsOf = (blocks: readonly Block[]) => [
  0,
  ...blocks.flatMap(({ at }) => [at - 1, at, at + 1]),
]

describe('what an account held at a time', () => {
  it('is the sum of all that was in blocks by then, whatever the times of the blocks', () => {
    fc.assert(
      fc.property(chains, blocks => {
        const at = traceBalance(totalOf(blocks), newestFirst(blocks), true)
        for (const time of momentsOf(blocks)) expect(at?.(time)).toBe(sumForwards(blocks, time))
      }),
    )
  })

  it('is the same as far as the rows go, and not known before, where older ones are left out', () => {
    fc.assert(
      fc.property(chains, fc.nat(20), (blocks, left) => {
        const rows = newestFirst(blocks, left)
        const oldest = blocks[rows.at(-1)?.height ?? blocks.length]
        const at = traceBalance(totalOf(blocks), rows, false)
        const later = blocks.slice(rows.at(-1)?.height ?? blocks.length)
        for (const time of momentsOf(blocks)) {
          const isKnown = oldest !== undefined && later.some(block => block.at <= time)
          expect(at?.(time)).toBe(isKnown ? sumForwards(blocks, time) : null)
        }
      }),
    )
  })

  it('does not depend on the order of rows of one block, nor on rows in no block', () => {
    const rows = [
      { height: null, at: 9_000, net: 77 },
      { height: 8, at: 2_000, net: -400 },
      { height: 8, at: 2_000, net: 500 },
      { height: 7, at: 1_000, net: 100 },
    ]
    const [waiting, spent, came, first] = rows as [object, object, object, object]
    for (const order of [rows, [waiting, came, spent, first]]) {
      const at = traceBalance(200n, order as typeof rows, true)
      expect([999, 1_000, 1_999, 2_000, 9_000].map(time => at?.(time))).toEqual([
        ...[0n, 100n, 100n, 200n, 200n],
      ])
    }
  })

  it('is nothing at any time of an account without a history', () => {
    expect(traceBalance(0n, [], true)?.(5)).toBe(0n)
  })

  it.each<[string, bigint, number[], boolean]>([
    ['more than came', 300n, [100, 100], true],
    ['less than came', 100n, [100, 100], true],
    ['less than the newest rows brought', 100n, [100, 100], false],
    ['something of nothing', 1n, [], true],
  ])('is not told where the balance is %s', (_, confirmed, nets, isWhole) => {
    const rows = nets.map((net, at) => ({ height: 9 - at, at: 9_000 - at, net }))
    expect(traceBalance(confirmed, rows, isWhole)).toBeNull()
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Utxo } from '../utxo.ts'
import { findExactMatch } from './branch-and-bound.ts'

function coinsOf(amounts: readonly bigint[]): Utxo[] {
  const sorted = [...amounts].sort((a, b) => Number(b - a))
  return sorted.map((amount, vout) => ({
    txid: '00'.repeat(32),
    vout,
    amount,
    scriptPubKey: new Uint8Array(),
    height: null,
  }))
}

/** Requirements of a payment whose inputs cost `inputFee` and waste `inputWaste` each. */
function requirementsOf(
  count: number,
  { target, inputFee = 0n, room = 0n, inputWaste = 0 }: Record<'target', bigint> & Waste,
) {
  return Array.from({ length: count + 1 }, (_, inputs) => {
    const least = target + BigInt(inputs) * inputFee
    return { least, most: least + room, waste: inputs * inputWaste }
  })
}

type Waste = { inputFee?: bigint; room?: bigint; inputWaste?: number }

describe('findExactMatch', () => {
  it('finds the match of least waste wherever trying every set finds one', () => {
    let matches = 0
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 51n, max: 400n }), { maxLength: 10 }),
        fc.record({
          target: fc.bigInt({ min: 1n, max: 1_500n }),
          inputFee: fc.bigInt({ min: 0n, max: 50n }),
          room: fc.bigInt({ min: 0n, max: 30n }),
          inputWaste: fc.integer({ min: -40, max: 40 }),
        }),
        (amounts, problem) => {
          const { target, inputFee, room, inputWaste } = problem
          const coins = coinsOf(amounts)
          const wasteOf = (picked: Utxo[]) => {
            const excess = picked.reduce((sum, { amount }) => sum + amount - inputFee, -target)
            return excess >= 0n && excess <= room
              ? Number(excess) + picked.length * inputWaste
              : null
          }
          const wastes = Array.from({ length: 2 ** coins.length }, (_, mask) =>
            wasteOf(coins.filter((_, i) => (mask >> i) % 2 === 1)),
          ).filter(waste => waste !== null)
          const found = findExactMatch(coins, requirementsOf(coins.length, problem))
          if (wastes.length === 0) {
            expect(found).toBeNull()
            return
          }
          matches++
          expect(new Set(found).size).toBe(found?.length)
          expect(wasteOf(found ?? [])).toBe(Math.min(...wastes))
        },
      ),
      { numRuns: 1_000 },
    )
    expect(matches).toBeGreaterThan(100)
  })

  it('gives up on a search that would take forever', () => {
    const coins = coinsOf(Array.from({ length: 200 }, (_, i) => 2n ** 40n + 2n * BigInt(i)))
    expect(findExactMatch(coins, requirementsOf(200, { target: 2n ** 46n + 1n }))).toBeNull()
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findExactMatch } from './branch-and-bound.ts'
import type { Utxo } from './utxo.ts'

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

/** Requirements of a payment whose inputs cost `inputFee` each. */
function requirementsOf(count: number, target: bigint, inputFee: bigint, room: bigint) {
  return Array.from({ length: count + 1 }, (_, inputs) => {
    const least = target + BigInt(inputs) * inputFee
    return { least, most: least + room }
  })
}

describe('findExactMatch', () => {
  it('finds the match with the least excess wherever trying every set finds one', () => {
    let matches = 0
    const coinAmounts = fc.array(fc.bigInt({ min: 51n, max: 400n }), { maxLength: 10 })
    fc.assert(
      fc.property(
        coinAmounts,
        fc.bigInt({ min: 1n, max: 1_500n }),
        fc.bigInt({ min: 0n, max: 50n }),
        fc.bigInt({ min: 0n, max: 30n }),
        (amounts, target, inputFee, room) => {
          const coins = coinsOf(amounts)
          const excesses = Array.from({ length: 2 ** coins.length }, (_, mask) => {
            const picked = coins.filter((_, i) => (mask >> i) % 2 === 1)
            return picked.reduce((sum, { amount }) => sum + amount - inputFee, -target)
          }).filter(excess => excess >= 0n && excess <= room)
          const least = excesses.reduce<bigint | null>(
            (best, excess) => (best === null || excess < best ? excess : best),
            null,
          )
          const found = findExactMatch(coins, requirementsOf(coins.length, target, inputFee, room))
          if (least === null) {
            expect(found).toBeNull()
            return
          }
          matches++
          expect(new Set(found).size).toBe(found?.length)
          expect(found?.reduce((sum, { amount }) => sum + amount - inputFee, -target)).toBe(least)
        },
      ),
      { numRuns: 1_000 },
    )
    expect(matches).toBeGreaterThan(100)
  })

  it('gives up on a search that would take forever', () => {
    const coins = coinsOf(Array.from({ length: 200 }, (_, i) => 2n ** 40n + 2n * BigInt(i)))
    expect(findExactMatch(coins, requirementsOf(200, 2n ** 46n + 1n, 0n, 0n))).toBeNull()
  })
})

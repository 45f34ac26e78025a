import { describe, expect, it } from 'vitest'
import { campaign } from '../../testing/campaigns.ts'
import { compareSelections } from './testing/selection-comparison.ts'
import { inventLife } from './testing/wallet-life.ts'

/** A part of what `npx tsx e2e/commands/compare-selection.ts` does with 1000 wallets. */
const { count: WALLETS, seed: SEED } = campaign('wallets beside Bitcoin Core’s')
const PAYMENTS = 25

describe('our choice of coins beside that of the node', () => {
  it('costs at most two percent more in fees, those of spending what is left included', async () => {
    const lives = Array.from({ length: WALLETS }, (_, i) => inventLife(SEED + i, PAYMENTS))
    const done = await compareSelections(lives)
    const sum = (costs: { total: number }[]) => costs.reduce((all, { total }) => all + total, 0)
    const payments = done.reduce((all, comparison) => all + comparison.payments, 0)
    expect(payments).toBeGreaterThan(0.9 * WALLETS * PAYMENTS)
    const ours = sum(done.map(comparison => comparison.ours))
    const theirs = sum(done.map(comparison => comparison.core))
    expect(ours / theirs).toBeLessThan(1.02)
  }, 600_000)
})

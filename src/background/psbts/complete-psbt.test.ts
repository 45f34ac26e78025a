import { expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { buildFresh, signElsewhere } from '../testing/signed-transactions.ts'
import { completePsbt } from './complete-psbt.ts'

it('completing a PSBT of many signatures lets others have their turns', async () => {
  const inputs = Array.from({ length: 60 }, () => ({
    ...{ type: 'p2wpkh' as const, amount: 10_000n, proof: 'witness' as const },
  }))
  const built = buildFresh({ inputs, outputs: [{ type: 'p2wpkh', amount: 500_000n }] })
  const psbt = parsePsbt(fromHex(signElsewhere(built).psbt))
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  // 120 verifications of more than a millisecond each.
  const { rawTx } = await completePsbt('psbt', psbt, built.previous)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
  expect(rawTx).toMatch(/^0200000000013c/)
})

import { describe, expect, it } from 'vitest'
import type { Review } from '../views/approval-views.ts'
import { parseInput } from './questions.ts'

const AMOUNT = { kind: 'brc20-amount', decimals: 2 } as Review
const MESSAGE: Review = { kind: 'sign-message', message: 'hello', type: 'bip322' }
const INVALID = { code: -32602 }

describe('what the person fills in', () => {
  it('is an amount in its shortest form, with as many decimals as the token has', async () => {
    expect(await parseInput(AMOUNT, '1.50')).toBe('1.5')
    expect(await parseInput({ ...AMOUNT, decimals: null } as Review, '0.125')).toBe('0.125')
    for (const input of ['1.505', 'x', '', 1, null])
      await expect(parseInput(AMOUNT, input)).rejects.toMatchObject(INVALID)
    const cause = expect.objectContaining({ name: 'InvalidBrc20Error' })
    await expect(parseInput(AMOUNT, 'x')).rejects.toMatchObject({ cause })
  })

  it('is nothing where nothing is asked for', async () => {
    expect(await parseInput(MESSAGE, '1.5')).toBeNull()
  })
})

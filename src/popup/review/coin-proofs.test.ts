import { describe, expect, it } from 'vitest'
import { judgeProofs, listTransactions } from './coin-proofs.tsx'

const proven = (blocks: number | null) => ({ is: 'proven', confirmations: 9, blocks }) as const
const unproven = (fault: 'no-block' | 'merkle-proof' | 'no-answer') =>
  ({ is: 'unproven', fault }) as const

describe('what is said of the coins of a payment', () => {
  it('is the least work behind any of them', () => {
    expect(judgeProofs([proven(7.9), proven(2.6)], false)).toEqual({ blocks: 2 })
    expect(judgeProofs([proven(7.9), proven(null)], false)).toEqual({ blocks: null })
  })

  it('is why some are not proven, whatever the others are', () => {
    const proofs = [proven(7), unproven('merkle-proof'), null, unproven('no-answer')]
    expect(judgeProofs(proofs, false)).toEqual({ faults: ['merkle-proof', 'no-answer'] })
  })

  it('is nothing of those in no block where the review says that coins are unconfirmed, nor that all are proven', () => {
    expect(judgeProofs([unproven('no-block'), proven(3)], true)).toBeNull()
    const proofs = [unproven('no-block'), unproven('merkle-proof'), proven(3)]
    expect(judgeProofs(proofs, true)).toEqual({ faults: ['merkle-proof'] })
    expect(judgeProofs([unproven('no-block')], true)).toBeNull()
    expect(judgeProofs([unproven('no-block'), proven(3)], false)).toEqual({ faults: ['no-block'] })
  })

  it('is nothing while one was not asked about, or less than a block of work is behind it', () => {
    expect(judgeProofs([proven(7), null], false)).toBeNull()
    expect(judgeProofs([proven(7), proven(0.4)], false)).toBeNull()
  })

  it('is of own coins alone, each transaction once', () => {
    const input = (digit: string, index: number, own: boolean) => ({
      ...{ outpoint: `${digit.repeat(64)}:${index}`, address: null, sats: null, own },
    })
    expect(
      listTransactions([input('a', 0, true), input('b', 0, false), input('a', 1, true)]),
    ).toEqual(['a'.repeat(64)])
  })
})

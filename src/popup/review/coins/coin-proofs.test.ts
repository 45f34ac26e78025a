import { createElement } from 'react'
import { describe, expect, it } from 'vitest'
import type { ConfirmationProof } from '../../../background/views/activity-views.ts'
import { textOf } from '../../testing/text-of.ts'
import { ProofNotes } from './coin-proofs.tsx'

const proven = (blocks: number | null, confirmations: number): ConfirmationProof => ({
  ...{ is: 'proven', confirmations, blocks },
})
const unproven = (fault: 'no-block' | 'merkle-proof'): ConfirmationProof => ({
  ...{ is: 'unproven', fault },
})

/** What is said where these came out, `own` with whether the review calls the coin unconfirmed. */
function say(found: {
  goods?: ConfirmationProof[]
  own?: [ConfirmationProof, boolean][]
  reveals?: ConfirmationProof[]
  /** The reveal made the coin that is spent. */
  isUnmoved?: boolean
}): string {
  const { goods = [], own = [], reveals = [], isUnmoved = false } = found
  const revealOf = (at: number) => (isUnmoved ? `own ${at}` : `reveal ${at}`)
  return textOf(
    createElement(ProofNotes, {
      goods: goods.map((_, at) => `goods ${at}`),
      own: own.map(([, isTold], at) => ({ txid: `own ${at}`, isTold })),
      reveals: reveals.map((_, at) => revealOf(at)),
      proofs: new Map([
        ...goods.map((proof, at) => [`goods ${at}`, proof] as const),
        ...own.map(([proof], at) => [`own ${at}`, proof] as const),
        ...reveals.map((proof, at) => [revealOf(at), proof] as const),
      ]),
    }),
  )
}

describe('of what comes from others a review says', () => {
  it('that it is proven, and how deep', () => {
    expect(say({ goods: [proven(14.2, 14)] })).toBe(
      'What you receive: its coin is proven in a block, 14 deep.',
    )
    expect(say({ goods: [proven(14.2, 14), proven(6, 3)] })).toContain('at least 3 deep')
    expect(say({ goods: [proven(null, 2)] })).toContain('2 deep. On this network')
  })

  it('that it is not, and why, also where no block holds it', () => {
    expect(say({ goods: [unproven('merkle-proof')] })).toMatch(
      /^What you receive is not proven .*cannot show that the block holds it/,
    )
    const text = say({ goods: [unproven('no-block'), proven(7, 7)], own: [[proven(9, 9), false]] })
    expect(text).toContain('What you receive is not proven')
    expect(text).toContain('the sender can take it back')
    expect(text).toContain('Coins proven: at least 9 blocks’ work.')
  })

  it('that it is the word of the server where the block took less work than one takes now', () => {
    expect(say({ goods: [proven(0.3, 400_000)] })).toContain('as sure as your server’s word')
  })
})

describe('of own coins a review says', () => {
  it('that the server has one in no block any more, but for those that it calls unconfirmed', () => {
    expect(say({ own: [[unproven('no-block'), false]] })).toContain('no longer has it in a block')
    expect(say({ own: [[unproven('no-block'), true]] })).toBe('')
  })

  it('nothing where the work behind them is less than a block of today', () => {
    expect(say({ own: [[proven(0.3, 400_000), false]] })).toBe('')
  })
})

describe('of the reveal of an inscription that is sent a review says', () => {
  const own: [ConfirmationProof, boolean][] = [[proven(8, 8), false]]

  it('that it is proven, and how deep', () => {
    expect(say({ own, reveals: [proven(20, 20)] })).toContain(
      'Inscription proven: made in a block, 20 deep.',
    )
    expect(say({ own, reveals: [proven(20, 20), proven(11, 11)] })).toContain('at least 11 deep')
  })

  it('that it is not, and why, once where it made the coin that is spent', () => {
    expect(say({ own, reveals: [unproven('merkle-proof')] })).toContain(
      'Not proven: the transaction that made an inscription',
    )
    const spent: [ConfirmationProof, boolean][] = [[unproven('merkle-proof'), false]]
    const reveals = [unproven('merkle-proof')]
    const text = say({ own: spent, reveals, isUnmoved: true })
    expect(text).toContain('Not proven: one of the transactions that these coins come from')
    expect(text).not.toContain('made an inscription')
  })
})

import { createElement } from 'react'
import { describe, expect, it } from 'vitest'
import type { ConfirmationProof } from '../../../background/views/activity-views.ts'
import { textOf } from '../../testing/text-of.ts'
import { BasisNotes } from './inscription-blocks.tsx'

const proven = (blocks: number | null, confirmations: number): ConfirmationProof => ({
  ...{ is: 'old', confirmations, blocks },
})
const IN_NO_BLOCK: ConfirmationProof = { is: 'unproven', fault: 'no-block' }

function say(
  reveal: ConfirmationProof | null,
  move?: ConfirmationProof | null,
  isPending = false,
): string {
  const proofs = new Map([['reveal', reveal]])
  if (move !== undefined) proofs.set('move', move)
  const basis = { reveal: 'reveal', move: move === undefined ? 'reveal' : 'move', isPending }
  return textOf(createElement(BasisNotes, { basis, proofs }))
}

describe('what an inscription rests on', () => {
  it('is its reveal and its last move, each with how deep it is', () => {
    expect(say(proven(5, 90_000), proven(3, 3))).toBe(
      'Inscription proven: made in a block, 90,000 deep. Last move proven: in a block, 3 deep.',
    )
    expect(say(proven(5, 7))).toBe('Inscription proven: made in a block, 7 deep.')
  })

  it('is said not to be proven where it is not, with the reason', () => {
    const text = say({ is: 'unproven', fault: 'merkle-proof' }, proven(3, 3))
    expect(text).toMatch(/^Not proven: the transaction that made an inscription .*cannot show/)
    expect(text).toContain('Last move proven')
    expect(say(proven(3, 3), { is: 'unproven', fault: 'no-answer' })).toMatch(
      /Not proven: the transaction that brought it to its coin .*gives no proof/,
    )
  })

  it('is no fault while the wallet waits for a block, and one where it does not', () => {
    expect(say(proven(5, 9), IN_NO_BLOCK, true)).toContain('in no block yet')
    expect(say(proven(5, 9), IN_NO_BLOCK)).toContain('no longer has it in a block')
    expect(say(IN_NO_BLOCK, undefined, true)).not.toContain('Not proven')
    expect(say(IN_NO_BLOCK, proven(5, 9), true)).toContain('Not proven')
  })

  it('is as sure as the server where its block took little work, and that is said of test networks too', () => {
    expect(say(proven(0.2, 500_000))).toContain('as sure as your server’s word')
    expect(say(proven(null, 4))).toContain('On this network blocks take little work.')
  })

  it('is nothing while nobody was asked', () => {
    expect(say(null, null)).toBe('')
  })
})

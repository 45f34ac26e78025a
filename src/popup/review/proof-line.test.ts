import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { ConfirmationProof } from '../../background/views/activity-views.ts'
import { words } from '../platform/words.ts'
import { PROOF_FAULT_WORDS } from '../ui/text/proof-words.ts'
import { ProofLine } from './proof-line.tsx'

/** What stands inside of the element that is read out when it appears. */
function alertOf(markup: string): string {
  const inside = markup.slice(markup.indexOf('role="alert"'))
  let depth = 1
  for (const { 0: tag, index } of inside.matchAll(/<div|<\/div>/g)) {
    depth += tag === '<div' ? 1 : -1
    if (depth === 0) return inside.slice(0, index)
  }
  throw new Error('Nothing is read out')
}

it('reads out that a proof is missing, without the question mark beside it', () => {
  const answer: ConfirmationProof = { is: 'unproven', fault: 'merkle-proof' }
  const proof = { answer, problem: null, busy: false, retry: () => {} }
  const markup = renderToStaticMarkup(createElement(ProofLine, { proof }))
  const alert = alertOf(markup)
  expect(alert).toContain(words('proofUnproven'))
  expect(alert).toContain(words(PROOF_FAULT_WORDS['merkle-proof']))
  const question = `aria-label="${words('termAsk', { term: words('termConfirmation') })}"`
  expect(markup).toContain(question)
  expect(alert).not.toContain(question)
})

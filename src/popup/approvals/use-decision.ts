import { useState } from 'react'
import { explainError } from '../state/explain-error.ts'
import type { Decision } from './use-approval.ts'

/** The person's answer on its way: which one it is, and in words why the last one was not taken. */
export function useDecision(onDecide: (decision: Decision, input?: string) => Promise<void>) {
  const [sent, setSent] = useState<Decision | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  return {
    sent,
    failure,
    async decide(decision: Decision, input?: string): Promise<void> {
      setSent(decision)
      setFailure(null)
      try {
        await (input === undefined ? onDecide(decision) : onDecide(decision, input))
      } catch (problem) {
        setFailure(explainError(problem))
        setSent(null)
      }
    },
  }
}

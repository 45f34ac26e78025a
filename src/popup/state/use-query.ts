import { useCallback, useEffect, useRef, useState } from 'react'
import { subscribe } from '../platform/rpc.ts'
import { explainError } from './explain-error.ts'

export type Query<T> = {
  /** The newest answer about the subject; null until the first. */
  answer: T | null
  /** Why the newest question had no answer; what was known before stays beside it. */
  problem: string | null
  busy: boolean
  /** Asks at once, by the person's own wish. */
  retry: () => void
}

type Known<T> = { subject: string; answer: T | null; problem: string | null; busy: boolean }

/**
 * Asks the background, and again when one of the stored `keys` changes or the `subject` is another. Answers that come
 * late never take the place of newer ones, and what is known of one subject is never shown for another. `pauseAfter` says
 * after how many milliseconds it asks again by itself; null for never.
 */
export function useQuery<T>(
  ask: (retry: boolean) => Promise<T>,
  subject: string,
  keys: readonly string[],
  pauseAfter: (answer: T) => number | null = () => null,
): Query<T> {
  const [known, setKnown] = useState<Known<T>>({ ...NOTHING, subject })
  const latest = useRef({ ask, keys, turn: 0, shown: 0 })
  latest.current.ask = ask
  latest.current.keys = keys
  const refresh = useCallback(
    (retry: boolean) => {
      latest.current.turn += 1
      const { turn, ask } = latest.current
      const show = (change: Partial<Known<T>>) => {
        if (turn <= latest.current.shown) return
        latest.current.shown = turn
        // News may come faster than answers: what is shown then is a question behind, not nothing.
        const busy = turn !== latest.current.turn
        setKnown(before => ({ ...of(before, subject), ...change, busy }))
      }
      setKnown(before => ({ ...of(before, subject), busy: true }))
      ask(retry).then(
        answer => show({ answer, problem: null }),
        (error: unknown) => show({ problem: explainError(error) }),
      )
    },
    [subject],
  )
  useEffect(() => {
    // What was asked about another subject is of no use any more.
    latest.current.shown = latest.current.turn
    refresh(false)
    return subscribe(changed => {
      if (changed.some(key => latest.current.keys.includes(key))) refresh(false)
    })
  }, [refresh])
  const { answer, problem, busy } = of(known, subject)
  const pause = answer === null || busy ? null : pauseAfter(answer)
  useEffect(() => {
    if (pause === null) return
    const timer = setTimeout(() => refresh(false), pause)
    return () => clearTimeout(timer)
  }, [pause, refresh])
  return { answer, problem, busy, retry: useCallback(() => refresh(true), [refresh]) }
}

const NOTHING = { answer: null, problem: null, busy: true }

/** What is known, if it is about this subject. */
function of<T>(known: Known<T>, subject: string): Known<T> {
  return known.subject === subject ? known : { ...NOTHING, subject }
}

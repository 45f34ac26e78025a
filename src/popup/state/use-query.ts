/**
 * What the screens know of the wallet and how it is kept up to date: questions to the background (this file), work that a
 * press starts, drafts, passwords, the words for a failure. An answer that comes late never takes the place of a newer one.
 * No screen keeps a counter against late answers of its own; nothing here draws more than a notice.
 */

import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react'
import { NEWS_PAUSE_MS } from '../platform/gather-news.ts'
import { subscribe } from '../platform/rpc.ts'
import { explainError } from './explain-error.ts'
import { createQuery, type QueryState } from './query.ts'

export type Query<T> = QueryState<T> & {
  /** Asks at once, by the person's own wish. */
  retry: () => void
}

/**
 * Asks the background, and again when one of the stored `keys` changes or the `subject` is another. What is known of one
 * subject is never shown for another. `pauseAfter` says after how many milliseconds it asks again by itself; null for
 * never.
 */
export function useQuery<T>(...question: Question<T>): Query<T> {
  return useAsking(useEffect, question)
}

/** The same, asked before all other questions of the screen: effects of its parts run before its own. */
export function useFirstQuery<T>(...question: Question<T>): Query<T> {
  return useAsking(useLayoutEffect, question)
}

type Question<T> = [
  ask: (retry: boolean) => Promise<T>,
  subject: string,
  keys: readonly string[],
  pauseAfter?: (answer: T) => number | null,
]

function useAsking<T>(
  useStart: typeof useEffect,
  [ask, subject, keys, pauseAfter = () => null]: Question<T>,
): Query<T> {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another subject is another question
  const query = useMemo(() => createQuery<T>(explainError), [subject])
  const state = useSyncExternalStore(query.subscribe, query.getState, query.getState)
  const newest = useRef({ ask, keys })
  newest.current = { ask, keys }
  const refresh = useCallback(
    (retry: boolean) => void query.ask(() => newest.current.ask(retry)),
    [query],
  )
  useStart(() => {
    refresh(false)
    return subscribe(changed => {
      if (changed.some(key => newest.current.keys.includes(key)))
        query.askAfter(() => newest.current.ask(false))
    }, NEWS_PAUSE_MS)
  }, [query, refresh])
  const pause = state.answer === null || state.busy ? null : pauseAfter(state.answer)
  useEffect(() => {
    if (pause === null) return
    const timer = setTimeout(() => refresh(false), pause)
    return () => clearTimeout(timer)
  }, [pause, refresh])
  return { ...state, retry: useCallback(() => refresh(true), [refresh]) }
}

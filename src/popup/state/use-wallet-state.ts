import { useCallback, useEffect, useRef, useState } from 'react'
import type { WalletState } from '../../background/views/ui-methods.ts'
import { call, subscribe } from '../app/rpc.ts'
import { words } from '../app/words.ts'
import { explainError } from './explain-error.ts'
import { TIMEOUT_MS, withTimeout } from './with-timeout.ts'

type Known = { state: WalletState | null; problem: string | null }

/**
 * The wallet's state, asked for anew whenever something stored changes, from `first` on; `problem` when it cannot be had.
 */
export function useWalletState(
  first: WalletState | null,
): Known & { refresh: () => Promise<void> } {
  const [known, setKnown] = useState<Known>({ state: first, problem: null })
  const newest = useRef(0)
  const refresh = useCallback(async () => {
    newest.current += 1
    const turn = newest.current
    const show = (find: (before: Known) => Known) => {
      // Answers may come out of order: only the last question counts.
      if (turn !== newest.current) return
      setKnown(before => {
        const next = find(before)
        return isSame(before, next) ? before : next
      })
    }
    const answer = call('getState', null).then(
      state => ({ state, problem: null }),
      (error: unknown) => ({ state: null, problem: explainError(error) }),
    )
    const soon = await withTimeout(TIMEOUT_MS, answer)
    // Who stretches a password is silent too: what is known by then stays.
    if (soon === null) {
      show(before => (before.state ? before : { state: null, problem: words('errorNoAnswer') }))
    }
    const next = soon ?? (await answer)
    show(() => next)
  }, [])
  useEffect(() => {
    void refresh()
    return subscribe(() => void refresh())
  }, [refresh])
  return { ...known, refresh }
}

/** Most of what is stored changes nothing here, and then nothing is drawn anew. */
function isSame(before: Known, next: Known): boolean {
  return JSON.stringify(before) === JSON.stringify(next)
}

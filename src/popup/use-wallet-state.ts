import { useCallback, useEffect, useRef, useState } from 'react'
import type { WalletState } from '../background/ui-methods/ui-methods.ts'
import { explainError } from './explain-error.ts'
import { call, subscribe } from './rpc.ts'

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
    const next = await call('getState', null).then(
      state => ({ state, problem: null }),
      (error: unknown) => ({ state: null, problem: explainError(error) }),
    )
    // Answers may come out of order: only the last question counts.
    if (turn === newest.current) setKnown(before => (isSame(before, next) ? before : next))
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

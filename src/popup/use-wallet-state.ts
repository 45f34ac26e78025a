import { useCallback, useEffect, useRef, useState } from 'react'
import type { WalletState } from '../background/ui-methods/ui-methods.ts'
import { call, subscribe } from './rpc.ts'

type Known = { state: WalletState | null; problem: string | null }

/** The wallet's state, asked for anew whenever something stored changes; `problem` when it cannot be had. */
export function useWalletState(): Known & { refresh: () => Promise<void> } {
  const [known, setKnown] = useState<Known>({ state: null, problem: null })
  const newest = useRef(0)
  const refresh = useCallback(async () => {
    newest.current += 1
    const turn = newest.current
    const next = await call('getState', null).then(
      state => ({ state, problem: null }),
      (error: Error) => ({ state: null, problem: error.message }),
    )
    // Answers may come out of order: only the last question counts.
    if (turn === newest.current) setKnown(next)
  }, [])
  useEffect(() => {
    void refresh()
    return subscribe(() => void refresh())
  }, [refresh])
  return { ...known, refresh }
}

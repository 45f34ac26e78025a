import { useCallback, useEffect, useRef, useState } from 'react'
import type { Overview } from '../background/ui-methods/ui-methods.ts'
import { call, subscribe } from './rpc.ts'

const PAUSE_MS = 30_000

type Known = { overview: Overview | null; busy: boolean }

/**
 * Balance and activity of what `subject` names (account, network, server); null until the first answer. Asked for
 * again every half minute while the page is seen, and when the stored activity changes.
 */
export function useOverview(subject: string): Known & { refresh: () => void } {
  const [known, setKnown] = useState<Known>({ overview: null, busy: true })
  const newest = useRef(0)
  const refresh = useCallback(() => {
    newest.current += 1
    const turn = newest.current
    setKnown(before => ({ ...before, busy: true }))
    const show = (overview: Overview) => {
      if (turn === newest.current) setKnown({ overview, busy: false })
    }
    call('getOverview', null).then(show, (error: Error) =>
      show({ balance: null, problem: error.message, activity: [] }),
    )
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another subject is another overview
  useEffect(() => {
    setKnown({ overview: null, busy: true })
    refresh()
    const timer = setInterval(() => {
      if (!document.hidden) refresh()
    }, PAUSE_MS)
    const stop = subscribe(keys => {
      if (keys.includes('activity')) refresh()
    })
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [refresh, subject])
  return { ...known, refresh }
}

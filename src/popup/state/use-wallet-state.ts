import { useCallback, useEffect, useState } from 'react'
import type { WalletState } from '../../background/views/ui-methods.ts'
import { STATE_PAUSE_MS } from '../platform/gather-news.ts'
import { call, subscribe } from '../platform/rpc.ts'
import { TIMEOUT_MS, withTimeout } from '../platform/with-timeout.ts'
import { words } from '../platform/words.ts'
import { explainError, isOfNewerStorage } from './explain-error.ts'
import { useLatest } from './latest.ts'

type Known = { state: WalletState | null; problem: Problem | null }

/** `isOutdated` where only a newer version of Satchel helps. */
export type Problem = { text: string; isOutdated: boolean }

/**
 * The wallet's state, asked for anew whenever something stored changes, from `first` on; `problem` when it cannot be had.
 */
export function useWalletState(
  first: WalletState | null,
): Known & { refresh: () => Promise<void> } {
  const [known, setKnown] = useState<Known>({ state: first, problem: null })
  const latest = useLatest()
  const refresh = useCallback(async () => {
    const isLatest = latest.begin()
    const show = (find: (before: Known) => Known) => {
      // Answers may come out of order: only the last question counts.
      if (!isLatest()) return
      setKnown(before => {
        const next = find(before)
        return isSame(before, next) ? before : next
      })
    }
    const answer = call('getState', null).then(
      state => ({ state, problem: null }),
      (error: unknown) => ({
        state: null,
        problem: { text: explainError(error), isOutdated: isOfNewerStorage(error) },
      }),
    )
    const soon = await withTimeout(TIMEOUT_MS, answer)
    // The background is also silent while it stretches a password (Argon2id): what is known by then stays.
    if (soon === null) {
      const problem = { text: words('errorNoAnswer'), isOutdated: false }
      show(before => (before.state ? before : { state: null, problem }))
    }
    const next = soon ?? (await answer)
    show(() => next)
  }, [latest])
  useEffect(() => {
    void refresh()
    return subscribe(() => void refresh(), STATE_PAUSE_MS)
  }, [refresh])
  return { ...known, refresh }
}

/** Most changes in storage leave this state as it is; then nothing is rendered again. */
function isSame(before: Known, next: Known): boolean {
  return JSON.stringify(before) === JSON.stringify(next)
}

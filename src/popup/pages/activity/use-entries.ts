import { useCallback, useEffect, useRef, useState } from 'react'
import type { ActivityEntry } from '../../../background/views/activity-views.ts'
import type { ServerProblem } from '../../../background/views/settings-views.ts'
import { NEWS_PAUSE_MS } from '../../platform/gather-news.ts'
import { call, subscribe } from '../../platform/rpc.ts'
import { explainError } from '../../state/explain-error.ts'
import { useLatest } from '../../state/latest.ts'
import { NEWS } from '../../state/use-overview.ts'
import { mergePage } from './merge-page.ts'

const PAGE = 50

type Known = {
  /** Newest first; null until the first page is there. */
  entries: ActivityEntry[] | null
  more: boolean
  serverProblem: ServerProblem | null
  /** Why no page could be had, and where that page begins. */
  problem: string | null
  missing: number
  busy: boolean
}

const NOTHING: Known = {
  entries: null,
  more: false,
  serverProblem: null,
  problem: null,
  missing: 0,
  busy: true,
}

/** The activity of the account in use, page by page. News reads the first page again; what was loaded below stays. */
export function useEntries(subject: string): Known & {
  /** By the person's own wish. */
  refresh: () => void
  /** Reads the page that could not be had. */
  retry: () => void
  loadMore: () => void
} {
  const [known, setKnown] = useState(NOTHING)
  /** Each reading of the first page puts earlier questions out of date. */
  const latest = useLatest()
  const reading = useRef(false)
  const count = known.entries?.length ?? 0

  const read = useCallback(
    async (offset: number) => {
      if (offset > 0 && reading.current) return
      const isLatest = offset === 0 ? latest.begin() : latest.join()
      reading.current = true
      setKnown(before => ({ ...before, busy: true }))
      const change = await call('getActivity', { offset, limit: PAGE }).then(
        page => (before: Known) => ({
          entries: mergePage(before.entries ?? [], page.entries, offset),
          more: offset === 0 && (before.entries?.length ?? 0) > PAGE ? before.more : page.more,
          serverProblem: page.problem,
          problem: null,
          missing: 0,
          busy: false,
        }),
        (error: unknown) => (before: Known) => ({
          ...before,
          problem: explainError(error),
          missing: offset,
          busy: false,
        }),
      )
      if (!isLatest()) return
      reading.current = false
      setKnown(change)
    },
    [latest],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: another subject is another list
  useEffect(() => {
    setKnown(NOTHING)
    void read(0)
    return subscribe(keys => {
      if (keys.some(key => NEWS.includes(key))) void read(0)
    }, NEWS_PAUSE_MS)
  }, [read, subject])

  return {
    ...known,
    refresh: () => {
      // Only this question reaches a server that is in back-off.
      void call('getOverview', { retry: true })
        .catch(() => null)
        .then(() => read(0))
    },
    retry: () => void read(known.missing),
    loadMore: () => void read(count),
  }
}

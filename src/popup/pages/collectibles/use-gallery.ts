import { useCallback, useEffect, useRef, useState } from 'react'
import type { InscriptionGroup } from '../../../background/views/asset-views.ts'
import { NEWS_PAUSE_MS } from '../../platform/gather-news.ts'
import { call, subscribe } from '../../platform/rpc.ts'
import { explainError } from '../../state/explain-error.ts'
import { useLatest } from '../../state/latest.ts'
import { pauseForIndex } from '../../state/pause-for-index.ts'
import { COIN_NEWS } from '../../state/use-overview.ts'
import { galleryMemory } from './gallery-memory.ts'
import { type Gallery, PAGE_SIZE, putPage } from './gallery-pages.ts'

const PASSING_MS = 80

/**
 * A group of the inscriptions of the account in use: pages are read when they are about to be seen and read again after news; what
 * was known stays until then.
 */
export function useGallery(subject: string, group: InscriptionGroup) {
  const [gallery, setGallery] = useState<Gallery>(() => galleryMemory(subject, group).gallery)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(true)
  /** Each piece of news puts earlier questions out of date. */
  const latest = useLatest()
  const seen = useRef(new Set([0]))
  /** Pages that were asked for since the last news, and whether the list was found to have moved since. */
  const asked = useRef(new Set<number>())
  const moved = useRef(false)

  const read = useCallback(
    async (index: number) => {
      if (asked.current.has(index)) return
      asked.current.add(index)
      const isLatest = latest.join()
      setBusy(true)
      const change = await call('getInscriptions', {
        offset: index * PAGE_SIZE,
        limit: PAGE_SIZE,
        group,
      }).then(
        page => () => {
          const next = putPage(galleryMemory(subject, group).gallery, index, page)
          // An inscription that arrived or left moved all others to other places.
          if (galleryMemory(subject, group).gallery.total !== next.total && !moved.current) {
            moved.current = true
            asked.current = new Set([index])
            for (const other of seen.current) void read(other)
          }
          galleryMemory(subject, group).gallery = next
          setGallery(next)
          setProblem(null)
        },
        (error: unknown) => () => setProblem(explainError(error)),
      )
      if (!isLatest()) return
      setBusy(false)
      change()
    },
    [latest, subject, group],
  )
  const refresh = useCallback(() => {
    latest.begin()
    asked.current.clear()
    moved.current = false
    // Of an empty gallery no page is seen.
    for (const index of seen.current.size > 0 ? seen.current : [0]) void read(index)
  }, [latest, read])

  useEffect(() => {
    setGallery(galleryMemory(subject, group).gallery)
    refresh()
    return subscribe(keys => {
      if (keys.some(key => COIN_NEWS.includes(key))) refresh()
    }, NEWS_PAUSE_MS)
  }, [refresh, subject, group])

  const pause = busy ? null : pauseForIndex(gallery.unchecked.why)
  useEffect(() => {
    if (pause === null) return
    const timer = setTimeout(refresh, pause)
    return () => clearTimeout(timer)
  }, [pause, refresh])

  return {
    ...gallery,
    problem,
    busy,
    /** By the person's own wish. */
    retry() {
      setBusy(true)
      // Only this question reaches a server that is in back-off.
      void call('getOverview', { retry: true })
        .catch(() => null)
        .then(refresh)
    },
    /** Tells which pages are about to be seen. */
    see: useCallback(
      (index: number, near: boolean) => {
        if (!near) return void seen.current.delete(index)
        seen.current.add(index)
        // A page that is only scrolled past is not asked for.
        setTimeout(() => {
          if (seen.current.has(index)) void read(index)
        }, PASSING_MS)
      },
      [read],
    ),
  }
}

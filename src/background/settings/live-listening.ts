import { openLiveFeed } from '../../chain/access/live-feed.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import type { RandomSource } from '../primitives/random-source.ts'

/** Changes whenever there may be news on the chain; our pages ask again then. */
export const LIVE_KEY = 'live'

/** A page asks when it opens. What comes until a feed is ready was told to nobody, and after this long it may be something. */
const LONG_START_MS = 1000

/** Milliseconds: between two questions without a feed, to gather news, and between attempts to open a feed. */
export type LivePauses = {
  pollMs: number
  gatherMs: number
  retryMs: number
  longestRetryMs: number
}

const PAUSES: LivePauses = { pollMs: 20_000, gatherMs: 500, retryMs: 1000, longestRetryMs: 60_000 }

/** What is listened to: addresses, and the chain server that is asked about them. */
export type LiveSubject = { url: string; addresses: readonly string[] }

export type ListeningDeps = {
  session: StorageArea
  now(): number
  random: RandomSource
  /** Called with each change. */
  onNews(): void
  openFeed?: typeof openLiveFeed
  pauses?: LivePauses
}

/** Listens, for whoever wants it `since` then; with `hasGap` something was listened to until then. Returns how to stop. */
export function listen(
  { url, addresses }: LiveSubject,
  hasGap: boolean,
  since: number,
  { session, now, random, onNews: tell, openFeed = openLiveFeed, pauses = PAUSES }: ListeningDeps,
): () => void {
  let isOver = false
  let failures = 0
  let readyAt: number | null = null
  let feed: { close(): void } | null = null
  let polls: ReturnType<typeof setInterval> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let news: ReturnType<typeof setTimeout> | undefined

  connect()
  return () => {
    isOver = true
    feed?.close()
    clearInterval(polls)
    clearTimeout(retry)
    clearTimeout(news)
  }

  function connect(): void {
    readyAt = null
    feed = openFeed({ url, addresses, onReady, onNews, onEnd })
  }

  function onReady(): void {
    readyAt = now()
    clearInterval(polls)
    polls = undefined
    // What happened while nobody listened.
    if (hasGap || failures > 0 || readyAt - since > LONG_START_MS) onNews()
  }

  /** A block and what it holds come one after the other: one change is enough. */
  function onNews(): void {
    news ??= setTimeout(() => {
      news = undefined
      if (isOver) return
      void session.set({ [LIVE_KEY]: now() })
      tell()
    }, pauses.gatherMs)
  }

  function onEnd(): void {
    // Only a feed that lasted is a success: one that greets and leaves is asked more and more rarely.
    if (readyAt !== null && now() - readyAt > pauses.longestRetryMs) failures = 0
    const pause = Math.min(pauses.retryMs * 2 ** failures, pauses.longestRetryMs)
    failures++
    polls ??= setInterval(onNews, pauses.pollMs)
    retry = setTimeout(connect, pause + (pause / 4) * ((random(1)[0] ?? 0) / 256))
  }
}

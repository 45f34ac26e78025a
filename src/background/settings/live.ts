import { createMutex } from '../primitives/mutex.ts'
import type { ListeningDeps, LiveSubject } from './live-listening.ts'

/** In session storage while somebody listens: a background that finds it there at its start has followed one that was stopped. */
const LISTENING_KEY = 'live.listening'

/**
 * While a page of ours is open, listens for news of the account in use and changes the session key `live` with each, and once
 * where something may have been missed. Without a feed it changes every 20 s, and the feed is tried again after 1, 2, 4 … 60 s.
 */
export function createLive({
  subject,
  ...deps
}: ListeningDeps & {
  /** Null while there is no account in use. */
  subject(): Promise<LiveSubject | null>
}) {
  const { session, now } = deps
  const inTurn = createMutex()
  let pages = 0
  let followed: { key: string; stop(): void } | null = null

  return {
    /** A page opened; what is returned is to be called once it closed. */
    enter(): () => Promise<void> {
      pages++
      void follow()
      return () => {
        pages--
        return follow()
      }
    },
    /** To be called when account, network, server or lock may have changed. */
    follow,
  }

  function follow(): Promise<void> {
    return inTurn(async () => {
      const wanted = pages > 0 ? await subject().catch(() => null) : null
      const key = JSON.stringify(wanted)
      if (followed?.key === key) return
      const wasListening = (await session.get(LISTENING_KEY)) !== undefined
      if (!wanted) await session.remove(LISTENING_KEY)
      else if (!wasListening) await session.set({ [LISTENING_KEY]: true })
      const since = now()
      // Most starts of the worker are not for a page of ours.
      const listening = wanted && (await import('./live-listening.ts'))
      followed?.stop()
      followed = listening && { key, stop: listening.listen(wanted, wasListening, since, deps) }
    })
  }
}

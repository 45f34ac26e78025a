/** For what asks a server: the wallet writes a hundred times in the seconds of an inscribing. */
export const NEWS_PAUSE_MS = 250

/** For what the background knows by itself. */
export const STATE_PAUSE_MS = 50

/**
 * Hands news on: the first at once, and what comes within `pauseMs` of that in one call after it, each key once. After `stop`
 * nothing is handed on.
 */
export function gatherNews(
  listener: (keys: string[]) => void,
  pauseMs: number,
): { tell(keys: readonly string[]): void; stop(): void } {
  const gathered = new Set<string>()
  let pause: ReturnType<typeof setTimeout> | null = null

  return {
    tell(keys) {
      for (const key of keys) gathered.add(key)
      if (pause === null) handOn()
    },
    stop() {
      if (pause !== null) clearTimeout(pause)
      pause = null
      gathered.clear()
    },
  }

  function handOn(): void {
    const keys = [...gathered]
    gathered.clear()
    pause = setTimeout(() => {
      pause = null
      if (gathered.size > 0) handOn()
    }, pauseMs)
    listener(keys)
  }
}

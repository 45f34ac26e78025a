// content: the pipe between a page and the background. It promises that every request is answered, also when the
// worker dies: it sends again what is unanswered, under the same id, by which the background knows it. It knows no
// operation and reads nothing of a message but its id and how long it is.

import type { BackgroundMessage, Request } from '../provider/envelope.ts'

/** What the pipe uses of an extension Port. */
export type PortLike = {
  postMessage(message: Request | Request[]): void
  disconnect(): void
  onMessage: {
    addListener(listener: (message: BackgroundMessage | BackgroundMessage[]) => void): void
  }
  onDisconnect: { addListener(listener: () => void): void }
}

/** Waits before the next attempt, after that many Ports in a row were dropped early. */
export const RETRY_DELAYS_MS = [0, 50, 200, 800, 2000] as const

/** A Port that lived this long was not dropped early: a background stops after 30 s without work. */
export const EARLY_DROP_MS = 1000

/** How often the pipe looks whether the extension still exists, while a request is unanswered. */
export const WATCH_INTERVAL_MS = 1000

/** Characters of a message: what the background takes of parameters, and the rest. A longer one is not even parsed. */
export const MAX_TEXT_LENGTH = 4_900_000

/** Calls that go in one message at most, and how long each of them may be. */
export const MAX_TOGETHER = 256
export const MAX_GATHERED_LENGTH = 10_000

const TOO_LONG = { code: -32602, message: 'params: expected at most 4800000 characters' }

const STOPPED = {
  code: 4900,
  message: 'The wallet was just updated or stopped. Reload the page and try again.',
}

/**
 * Carries requests to the background and messages back. The Port opens at the first message; when it
 * drops while something is awaited, it opens again and everything unanswered is sent again, by the
 * same id; when nothing is awaited it stays closed, so that it keeps no background alive. `connect`
 * throws once the extension was updated or removed: every call is then answered with 4900.
 */
export function createPipe({
  connect,
  isAlive,
  toPage,
  now,
  runLater,
  afterTurn,
}: {
  connect: () => PortLike
  isAlive: () => boolean
  toPage: (message: BackgroundMessage) => void
  now: () => number
  runLater: (task: () => void, delayMs: number) => void
  /** Runs a task once the page's script has nothing more to do for now. */
  afterTurn: (task: () => void) => void
}) {
  const inFlight = new Map<string, Request>()
  let port: PortLike | null = null
  let opened = false
  let openedAt = 0
  let earlyDrops = 0
  let awaitsState = false
  let retryPending = false
  let watching = false
  /** Null before a page's turn. */
  let gathered: Request[] | null = null

  function open(): void {
    if (port) return
    retryPending = false
    let next: PortLike
    try {
      next = connect()
    } catch {
      answerAllStopped()
      return
    }
    port = next
    opened = true
    openedAt = now()
    next.onMessage.addListener(messages => {
      if (next !== port) return
      awaitsState = false
      for (const message of [messages].flat()) {
        if ('id' in message) {
          inFlight.delete(message.id)
          earlyDrops = 0
        }
        toPage(message)
      }
    })
    next.onDisconnect.addListener(() => recover(next))
    gathered &&= []
    for (const request of inFlight.values()) send(next, request)
  }

  function send(to: PortLike, request: Request | Request[]): void {
    try {
      if (to === port) to.postMessage(request)
    } catch {
      recover(to)
    }
  }

  /** The first call of a page's turn goes at once; the short ones that it makes after that go together. */
  function sendNew(to: PortLike, request: Request, length: number): void {
    if (gathered && length < MAX_GATHERED_LENGTH) {
      if (gathered.push(request) === MAX_TOGETHER) sendGathered()
      return
    }
    if (!gathered)
      afterTurn(() => {
        sendGathered()
        gathered = null
      })
    sendGathered()
    send(to, request)
  }

  function sendGathered(): void {
    const calls = gathered
    gathered = []
    if (port && calls?.[0]) send(port, calls)
  }

  function recover(dropped: PortLike): void {
    if (dropped !== port) return
    port = null
    if (!inFlight.size && !awaitsState) return
    if (now() - openedAt >= EARLY_DROP_MS) earlyDrops = 0
    const delayMs = RETRY_DELAYS_MS[earlyDrops++]
    if (delayMs === undefined) answerAllStopped()
    else if (delayMs === 0) open()
    else {
      retryPending = true
      runLater(open, delayMs)
    }
  }

  function answerAllStopped(): void {
    for (const id of inFlight.keys()) toPage({ id, error: STOPPED })
    inFlight.clear()
    awaitsState = false
    earlyDrops = 0
  }

  // Chromium gives a content script no sign, by its Port or otherwise, that the extension was updated
  // or removed.
  function watch(): void {
    if (!isAlive()) answerAllStopped()
    watching = false
    keepWatch()
  }

  function keepWatch(): void {
    if (watching || !inFlight.size) return
    watching = true
    runLater(watch, WATCH_INTERVAL_MS)
  }

  return {
    /** Takes the JSON text of a request, or of `{}`, which asks only for the state. */
    fromPage(text: string): void {
      if (text.length > MAX_TEXT_LENGTH) {
        // The in-page script writes 32 digits after `{"id":"`.
        toPage({ id: text.slice(7, 39), error: TOO_LONG })
        return
      }
      const request: Request | { id?: never } = JSON.parse(text)
      if (request.id) inFlight.set(request.id, request)
      else if (!port) awaitsState = true
      if (!port) {
        if (!retryPending) open()
      } else if (request.id) sendNew(port, request, text.length)
      keepWatch()
    },

    /** Something changed in the wallet: a page that has used it gets the state on a new Port. */
    poke(): void {
      if (opened && !retryPending) open()
    },

    /** The page came back from the back/forward cache, where its Port may have died unseen. */
    restore(): void {
      port?.disconnect()
      port = null
      earlyDrops = 0
      if (opened) open()
    },
  }
}

/** Runs the task once somebody sees the page: before, a page that the browser only prepares gets no answer from an extension. */
export function runWhenShown(
  page: Pick<EventTarget, 'addEventListener'> & { prerendering?: boolean },
  task: () => void,
): void {
  if (page.prerendering) page.addEventListener('prerenderingchange', task, { once: true })
  else task()
}

import { createPipe, type PortLike } from '../../content/pipe.ts'
import { sendAgain } from '../../popup/platform/send-again.ts'
import type { BackgroundMessage, Request, Response } from '../../provider/envelope.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import type { PagePort } from '../requests/pages.ts'
import type { UiMethodName, UiMethods } from '../views/ui-methods.ts'
import { type MortalWorker, type Stop, startMortalWorker } from './mortal-worker.ts'
import type { World } from './test-wallet.ts'

/** What ends: the worker alone, or the browser with its pages and its session storage. */
export type Ended = 'worker' | 'browser'

/** No answer: the worker was stopped on the way. */
export class UnansweredError extends Error {
  override name = 'UnansweredError'
}

/**
 * A browser around a world in memory: it starts a worker anew when one is stopped, tells the content scripts, which are the
 * real ones' pipes, and answers questions of the popup.
 */
export function openBrowser(given: World, stop: Stop | null, ended: Ended = 'worker') {
  let world = given
  let isOver = false
  const dropped = new Set<() => void>()
  let worker = start(stop)
  let stopped = 0
  const pages = { open: true }
  let settleRestart = () => {}
  const restarted = new Promise<void>(resolve => {
    settleRestart = resolve
  })

  return {
    world: () => world,
    worker: () => worker,
    /** Whether a worker was stopped. */
    wasStopped: () => stopped > 0,
    /** Resolves when the first worker was stopped and another has started. */
    restarted,
    ended: () => (stopped > 0 ? ended : 'worker'),
    hasPages: () => pages.open,
    openPage,
    ask,
    askAgain,
    whenQuiet,
    /** Ends what still runs. */
    close(): void {
      isOver = true
      worker.life.end()
    },
  }

  function start(at: Stop | null): MortalWorker {
    return startMortalWorker(world, at, () => {
      if (!isOver) setTimeout(restart, 0)
    })
  }

  function restart(): void {
    stopped++
    if (ended === 'browser') {
      world = { ...world, session: createMemoryArea(), window: { open: false, shown: 0 } }
      pages.open = false
    }
    worker = start(null)
    const ports = [...dropped]
    dropped.clear()
    if (pages.open) for (const drop of ports) drop()
    settleRestart()
  }

  /** A tab with a content script, which sends again what is in flight. */
  function openPage(origin: string, tabId = 1) {
    const received: BackgroundMessage[] = []
    const pipe = createPipe({
      connect: () => connect(origin, tabId),
      isAlive: () => true,
      toPage: message => void received.push(message),
      now: () => performance.now(),
      runLater: (task, delayMs) => void setTimeout(task, delayMs).unref(),
      afterTurn: queueMicrotask,
    })
    return {
      received,
      send: (request: Request): void => pipe.fromPage(JSON.stringify(request)),
      answersTo: (id: string): Response[] =>
        received.flatMap(message => ('id' in message && message.id === id ? [message] : [])),
    }
  }

  function connect(origin: string, tabId: number): PortLike {
    const { life, router, run } = worker
    const listeners: ((message: BackgroundMessage) => void)[] = []
    const page: PagePort = {
      ...{ origin, tabId, frameId: 0 },
      post(message) {
        const copy = JSON.parse(JSON.stringify(message))
        if (life.isAlive() && pages.open) for (const listener of listeners) listener(copy)
      },
    }
    run(() => router.connect(page))
    return {
      postMessage(requests) {
        const copies = [JSON.parse(JSON.stringify(requests))].flat()
        if (life.isAlive()) for (const copy of copies) void run(() => router.receive(page, copy))
      },
      disconnect: () => void run(() => router.disconnect(page)),
      onMessage: { addListener: listener => void listeners.push(listener) },
      onDisconnect: { addListener: listener => void dropped.add(listener) },
    }
  }

  /** Asks the worker as the popup does; rejects where it is stopped meanwhile. */
  async function ask<M extends UiMethodName>(
    method: M,
    params: Parameters<UiMethods[M]>[0],
  ): Promise<ReturnType<UiMethods[M]>> {
    const { life, ui, run } = worker
    if (!life.isAlive()) throw new UnansweredError(method)
    return Promise.race([
      run(() => ui(method, params)),
      life.stopped.then(() => Promise.reject(new UnansweredError(method))),
    ])
  }

  /** Asks as the popup does, which asks some things again when the worker was stopped; undefined for no answer. */
  async function askAgain<M extends UiMethodName>(
    method: M,
    params: Parameters<UiMethods[M]>[0],
  ): Promise<ReturnType<UiMethods[M]> | undefined> {
    const send = async () => {
      // A popup ends with its browser.
      if (!pages.open) throw new UnansweredError(method)
      try {
        return { answer: await ask(method, params) }
      } catch (error) {
        if (error instanceof UnansweredError) throw error
        return { error }
      }
    }
    const sent = (await sendAgain(method, send, () => restarted)) as
      | Awaited<ReturnType<typeof send>>
      | undefined
    if (sent && 'error' in sent) throw sent.error
    return sent?.answer
  }

  /** Waits until the worker that is alive has nothing to do. */
  async function whenQuiet(): Promise<void> {
    for (let turn = 0; turn < 2_000; turn++) {
      await new Promise(resolve => setTimeout(resolve, 1))
      if (worker.life.isAlive() && worker.life.isQuiet()) return
    }
  }
}

export type MortalBrowser = ReturnType<typeof openBrowser>

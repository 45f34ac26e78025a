import type { Runtime } from 'webextension-polyfill'
import type { HttpSites } from './http-sites.ts'
import { createOutbox } from './outbox.ts'
import { readRequest } from './page-message.ts'
import type { PagePort } from './pages.ts'
import type { createRouter } from './router.ts'

/** What is used of a connection that the browser hands over. */
export type ConnectedPort = Pick<Runtime.Port, 'name' | 'sender' | 'postMessage' | 'disconnect'> & {
  onMessage: { addListener(listener: (message: unknown) => void): void }
  onDisconnect: { addListener(listener: () => void): void }
}

/** Calls of one message: as many as a content script puts into one. It is not trusted; what is more is not read. */
const MAX_TOGETHER = 256

/** Connections of content scripts: who may have one, and what goes over it. */
export function createConnections(deps: {
  router: Pick<ReturnType<typeof createRouter>, 'connect' | 'receive' | 'disconnect'>
  httpSites: Pick<HttpSites, 'admits'>
  /** The extension's own. */
  id: string
  log(message: string, error: unknown): void
}) {
  const { router, httpSites, id, log } = deps

  return {
    /** Listens at once, so that no message is lost; nothing is served before it is known whether the site may have it. */
    open(port: ConnectedPort): void {
      const page = describePage(port)
      if (!page) {
        port.disconnect()
        return
      }
      const isAdmitted = httpSites.admits(page.origin)
      const admitted = (serve: () => void) =>
        void isAdmitted.then(is => (is ? serve() : undefined)).catch(report)
      isAdmitted.then(is => (is ? router.connect(page) : port.disconnect())).catch(report)
      port.onMessage.addListener(message => {
        const calls = Array.isArray(message) ? message.slice(0, MAX_TOGETHER) : [message]
        admitted(() => {
          if (calls.length > 1) page.expect(calls.flatMap(call => readRequest(call)?.id ?? []))
          for (const call of calls) receive(port, page, call).catch(report)
        })
      })
      port.onDisconnect.addListener(() =>
        admitted(() => void router.disconnect(page).catch(report)),
      )
    },
  }

  /** The person may have taken the leave back since the connection was opened. */
  async function receive(port: ConnectedPort, page: PagePort, message: unknown): Promise<void> {
    if (await httpSites.admits(page.origin).catch(() => false)) {
      await router.receive(page, message)
      return
    }
    // The side that ends a connection is told nothing of it.
    await router.disconnect(page)
    port.disconnect()
  }

  /**
   * Origin, tab and frame as the browser knows them. A sandboxed frame has the origin "null" and the url of the site
   * that embeds it, so the url is never used; frames other than the top one are not served.
   */
  function describePage(port: ConnectedPort) {
    const { sender } = port
    const origin = sender && 'origin' in sender ? sender.origin : undefined
    const tabId = sender?.tab?.id
    if (port.name !== 'page' || sender?.id !== id) return null
    if (typeof origin !== 'string' || !/^https?:\/\//.test(origin)) return null
    if (tabId === undefined || sender.frameId !== 0) return null
    const outbox = createOutbox({
      deliver: message => port.postMessage(message),
      // The page left in this moment; its disconnect is on its way.
      lose: error => log('A page could not be answered', error),
      runLater: task => void setTimeout(task, 0),
    })
    return { origin, tabId, frameId: sender.frameId, ...outbox }
  }

  function report(error: unknown): void {
    log('Background', error)
  }
}

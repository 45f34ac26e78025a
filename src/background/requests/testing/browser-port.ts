import type { Runtime } from 'webextension-polyfill'
import { type ConnectedPort, createConnections } from '../connections.ts'

const ID = 'the-extension'

type ConnectionParts = Parameters<typeof createConnections>[0]

/** What of a worker serves connections. */
type ServingWorker = {
  router: ConnectionParts['router']
  wallet: Pick<ConnectionParts, 'httpSites'>
}

/** A content script's connection as a browser hands it over; the origin is the browser's word. */
export function connectFrom({ router, wallet }: ServingWorker, origin: string) {
  const connections = createConnections({
    router,
    httpSites: wallet.httpSites,
    id: ID,
    log: (_, error) => {
      throw error
    },
  })
  const posted: unknown[] = []
  const listeners: ((message: unknown) => void)[] = []
  const state = { isOpen: true, posted, say: (_: unknown) => {}, leave: () => {} }
  const port: ConnectedPort = {
    name: 'page',
    sender: { id: ID, origin, tab: { id: 1 }, frameId: 0 } as unknown as Runtime.MessageSender,
    postMessage: message => void posted.push(message),
    disconnect: () => {
      state.isOpen = false
    },
    onMessage: { addListener: listener => void listeners.push(listener) },
    onDisconnect: {
      addListener: listener => {
        state.leave = listener
      },
    },
  }
  connections.open(port)
  state.say = message => {
    for (const listener of listeners) listener(message)
  }
  return state
}

import { createServer, type Server } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Rpc } from '../rpc/rpc.ts'
import { createAccess } from './access.ts'
import { createHttpHandler, type Page } from './http.ts'
import { createPlainConnections } from './plain-connections.ts'
import { createWebSocketListener } from './websocket.ts'
import type { ConnectionLimits } from './websocket-connection.ts'

export interface TransportLimits extends ConnectionLimits {
  /** Bytes of one HTTP body or WebSocket message. */
  readonly maxBody: number
  /** Of WebSocket. */
  readonly maxConnections: number
  /** Milliseconds for the headers of a request, and for all of it. */
  readonly headersTimeout: number
  readonly requestTimeout: number
  /** Milliseconds that an HTTP connection may be idle. */
  readonly keepAliveTimeout: number
  /** Milliseconds between two questions whether a WebSocket peer is there. */
  readonly pingInterval: number
  /** Milliseconds that running requests have when the node stops. */
  readonly closeTimeout: number
}

const DEFAULT_TRANSPORT_LIMITS: TransportLimits = {
  maxBody: 5 * 2 ** 20,
  maxConnections: 1000,
  maxInFlight: 256,
  maxBuffered: 4 * 2 ** 20,
  maxOutstanding: 16 * 2 ** 20,
  maxQueued: 20_000,
  maxBacklog: 512 * 2 ** 20,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 60_000,
  pingInterval: 30_000,
  closeTimeout: 5000,
}

export interface ListenOptions {
  readonly host: string
  /** Zero for any that is free. */
  readonly port: number
  readonly rpc: Rpc
  /** Names that the node is reached by, besides addresses, `localhost` and `host`; `*` for all. */
  readonly hosts?: readonly string[]
  /** Origins of web pages that may ask, such as `https://example.org`; `*` for all. */
  readonly origins?: readonly string[]
  /** By their path, such as `/healthz`. */
  readonly pages?: { readonly [path: string]: () => Page | Promise<Page> }
  readonly limits?: Partial<TransportLimits>
  /** Hears of pages that fail, and of connections that the system cannot hand over. */
  readonly onFault: (error: unknown) => void
}

export interface Listener {
  readonly url: string
  readonly wsUrl: string
  readonly port: number
  /** Of WebSocket. */
  countConnections(): number
  /** Takes nothing new, lets running requests be answered, and ends all connections. */
  close(): Promise<void>
}

/** Serves an RPC by HTTP and WebSocket on one port. Throws, with the reason, where the port cannot be had. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { host, rpc, onFault } = options
  const limits = { ...DEFAULT_TRANSPORT_LIMITS, ...options.limits }
  const access = createAccess([host, ...(options.hosts ?? [])], options.origins ?? [])
  const pages = new Map(Object.entries(options.pages ?? {}))
  const handle = createHttpHandler({ rpc, access, pages, maxBody: limits.maxBody, onFault })
  const sockets = createWebSocketListener({ ...limits, rpc, access, limits })
  const server = createServer(
    {
      headersTimeout: limits.headersTimeout,
      requestTimeout: limits.requestTimeout,
      keepAliveTimeout: limits.keepAliveTimeout,
      connectionsCheckingInterval: Math.min(1000, limits.headersTimeout),
      noDelay: true,
    },
    (request, response) => {
      silent.delete(request.socket)
      if (plain.takesResponse(response)) request.resume()
      else handle(request, response)
    },
  )
  // A client that takes nothing of its answer for so long has gone.
  const sendTimeout = 4 * limits.requestTimeout
  server.setTimeout(sendTimeout)
  const [acceptByNode] = server.listeners('connection')
  server.removeAllListeners('connection')
  // Node counts a connection as idle only after its first request.
  const silent = new Set<Duplex>()
  const plain = createPlainConnections({
    ...limits,
    rpc,
    access,
    sendTimeout,
    handOver(socket) {
      silent.add(socket)
      socket.on('close', () => silent.delete(socket))
      acceptByNode?.call(server, socket)
    },
  })
  server.on('connection', (socket: Socket) => plain.accept(socket))
  server.on('upgrade', (request, socket, head) => {
    silent.delete(socket)
    sockets.accept(request, socket, head)
  })
  await bind(server, options).catch(error => {
    sockets.close()
    plain.stop()
    throw error
  })

  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : options.port
  const authority = `${formatHost(host)}:${port}`
  return {
    url: `http://${authority}`,
    wsUrl: `ws://${authority}`,
    port,
    countConnections: sockets.countConnections,
    close: () =>
      new Promise(resolve => {
        const timer = setTimeout(() => {
          server.closeAllConnections()
          plain.closeAll()
        }, limits.closeTimeout)
        const sweep = setInterval(() => {
          server.closeIdleConnections()
          plain.closeIdle()
        }, 10)
        server.close(() => {
          clearTimeout(timer)
          clearInterval(sweep)
          plain.stop()
          resolve()
        })
        plain.closeIdle()
        for (const socket of silent) socket.destroy()
        sockets.close()
      }),
  }
}

function bind(server: Server, { host, port, onFault }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!(port >= 0 && port <= 65_535 && Number.isInteger(port))) {
      throw new RangeError(`cannot listen on ${host}:${port}: a port is a number from 0 to 65535`)
    }
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = BIND_ERRORS.get(error.code ?? '') ?? error.message
      reject(new Error(`cannot listen on ${host}:${port}: ${reason}`, { cause: error }))
    })
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      server.on('error', onFault)
      resolve()
    })
  })
}

const BIND_ERRORS: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'the port is in use'],
  ['EACCES', 'the port needs rights that this process does not have'],
  ['EADDRNOTAVAIL', 'this machine does not have the address'],
  ['ENOTFOUND', 'no such host'],
])

/** Where a node that listens on every address is reached from the same machine. */
function formatHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return isIPv6(host) ? `[${host}]` : host
}

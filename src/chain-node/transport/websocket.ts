import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Rpc } from '../rpc/rpc.ts'
import type { Access } from './access.ts'
import {
  type Backlog,
  type ConnectionLimits,
  serveWebSocket,
  type WebSocketConnection,
} from './websocket-connection.ts'

export interface WebSocketOptions {
  readonly rpc: Rpc
  readonly access: Access
  /** Bytes of one message. */
  readonly maxBody: number
  readonly maxConnections: number
  readonly limits: ConnectionLimits
  /** Milliseconds between two questions whether a peer is there. */
  readonly pingInterval: number
}

export interface WebSocketListener {
  /** Answers a request that asks for another protocol. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void
  countConnections(): number
  close(): void
}

/** JSON-RPC over WebSocket at `/`. */
export function createWebSocketListener(options: WebSocketOptions): WebSocketListener {
  const { rpc, access, limits } = options
  const connections = new Set<WebSocketConnection>()
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: options.maxBody,
  })
  const backlog: Backlog = { bytes: 0, behind: new Set() }
  let isClosed = false
  const timer = setInterval(() => {
    for (const connection of connections) connection.probe()
  }, options.pingInterval)
  timer.unref()

  function findRefusal({ headers, url = '' }: IncomingMessage): Refusal | null {
    const { host, origin, upgrade = '' } = headers
    if (!access.allowsHost(host)) return { status: 403, text: 'invalid host specified' }
    if (origin !== undefined && !access.allowsOrigin(origin)) {
      return { status: 403, text: 'origin not allowed' }
    }
    if (url.split('?', 1)[0] !== '/') return { status: 404, text: 'not found' }
    if (upgrade.toLowerCase() !== 'websocket') {
      return { status: 400, text: 'the only protocol to upgrade to is websocket' }
    }
    if (isClosed) return { status: 503, text: 'the node stops' }
    return connections.size < options.maxConnections
      ? null
      : { status: 503, text: 'too many connections' }
  }

  return {
    accept(request, socket, head) {
      socket.on('error', () => socket.destroy())
      const refusal = findRefusal(request)
      if (refusal) {
        refuse(socket, refusal)
        return
      }
      server.handleUpgrade(request, socket, head, opened => {
        const connection = serveWebSocket(opened, rpc, limits, backlog)
        connections.add(connection)
        connection.onClose(() => connections.delete(connection))
      })
    },
    countConnections: () => connections.size,
    close() {
      isClosed = true
      clearInterval(timer)
      for (const connection of connections) connection.close(1001, 'the node stops')
    },
  }
}

interface Refusal {
  readonly status: number
  readonly text: string
}

function refuse(socket: Duplex, { status, text }: Refusal): void {
  const body = `${text}\n`
  // The peer may keep its end open for ever.
  socket.once('finish', () => socket.destroy())
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n` +
      `Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
}

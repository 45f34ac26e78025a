import type { WebSocket } from 'ws'
import type { Connection } from '../rpc/connection.ts'
import type { Rpc } from '../rpc/rpc.ts'

export interface ConnectionLimits {
  /** Bodies of one connection that are being answered at a time; beyond it nothing is read until one is answered. */
  readonly maxInFlight: number
  /** Bytes that the socket has not taken, from which on messages wait here and nothing is read. */
  readonly maxBuffered: number
  /** Bytes that wait in all; beyond it a connection that is sent more is ended. */
  readonly maxOutstanding: number
  /** Messages that wait here; beyond it a connection that is sent more is ended. */
  readonly maxQueued: number
  /** Bytes that wait for all connections; beyond it those are ended that have been behind for longest. */
  readonly maxBacklog: number
}

/** What waits for all connections of a listener. */
export interface Backlog {
  bytes: number
  /** Those for which something waits, in the order in which that began. */
  readonly behind: Set<WebSocketConnection>
}

export interface WebSocketConnection extends Connection {
  /** Asks whether the peer is there; ends the connection where it has shown no sign since it was asked before. */
  probe(): void
  close(code: number, reason: string): void
}

/** Serves an open WebSocket: each message is a body, text or not, and is answered when its answer is there. */
export function serveWebSocket(
  socket: WebSocket,
  rpc: Rpc,
  limits: ConnectionLimits,
  backlog: Backlog,
): WebSocketConnection {
  const queue: string[] = []
  let queuedBytes = 0
  /** Of this connection, in the backlog. */
  let counted = 0
  let inFlight = 0
  let isAlive = true
  const listeners: (() => void)[] = []

  const connection: WebSocketConnection = {
    send,
    onClose(listener) {
      if (socket.readyState === socket.CLOSED) listener()
      else listeners.push(listener)
    },
    probe() {
      if (!isAlive && inFlight === 0) {
        socket.terminate()
      } else if (socket.readyState === socket.OPEN) {
        isAlive = false
        socket.ping()
      }
    },
    close,
  }

  function send(text: string): void {
    if (socket.readyState !== socket.OPEN) return
    if (queue.length === 0 && socket.bufferedAmount <= limits.maxBuffered) {
      socket.send(text, onSent)
    } else if (
      queue.length >= limits.maxQueued ||
      socket.bufferedAmount + queuedBytes > limits.maxOutstanding
    ) {
      close(1013, 'too slow')
    } else {
      queue.push(text)
      queuedBytes += Buffer.byteLength(text)
    }
    count()
    for (const slowest of backlog.behind) {
      if (backlog.bytes <= limits.maxBacklog) break
      slowest.close(1013, 'too slow')
    }
    adjustReading()
  }

  /** One that is being closed no longer counts: it has a second. */
  function count(): void {
    const isOpen = socket.readyState === socket.OPEN
    const outstanding = isOpen ? socket.bufferedAmount + queuedBytes : 0
    backlog.bytes += outstanding - counted
    counted = outstanding
    if (outstanding > 0) backlog.behind.add(connection)
    else backlog.behind.delete(connection)
  }

  function onSent(): void {
    if (socket.readyState !== socket.OPEN) return
    isAlive = true
    let sent = 0
    while (sent < queue.length && socket.bufferedAmount <= limits.maxBuffered) {
      const text = queue[sent++] ?? ''
      queuedBytes -= Buffer.byteLength(text)
      socket.send(text, onSent)
    }
    queue.splice(0, sent)
    count()
    adjustReading()
  }

  function adjustReading(): void {
    const isBusy = inFlight >= limits.maxInFlight || queue.length > 0
    if (isBusy && !socket.isPaused) socket.pause()
    if (!isBusy && socket.isPaused) socket.resume()
  }

  function close(code: number, reason: string): void {
    queue.length = 0
    queuedBytes = 0
    socket.close(code, reason)
    count()
    setTimeout(() => socket.terminate(), CLOSE_TIMEOUT).unref()
  }

  socket.on('message', (data: Buffer) => {
    isAlive = true
    inFlight++
    const answer = (text: string | null) => {
      inFlight--
      if (text !== null) send(text)
      else adjustReading()
    }
    rpc.handle(data, connection, answer, () => socket.readyState === socket.CLOSED)
    adjustReading()
  })
  socket.on('pong', () => {
    isAlive = true
  })
  // The library ends the connection itself, with the code that says why.
  socket.on('error', () => {})
  socket.on('close', () => {
    queue.length = 0
    count()
    for (const listener of listeners) listener()
  })
  return connection
}

/** Milliseconds that a peer has to take what was sent before, and to agree. */
const CLOSE_TIMEOUT = 1000

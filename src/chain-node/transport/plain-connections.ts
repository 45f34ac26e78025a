import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Rpc } from '../rpc/rpc.ts'
import type { Access } from './access.ts'
import { sendAnswer } from './http.ts'
import { createPlainHeadReader } from './plain-request.ts'

export interface PlainOptions {
  readonly rpc: Rpc
  readonly access: Access
  /** Bytes. */
  readonly maxBody: number
  /** Milliseconds until a connection has to begin its first request, and for all of one. */
  readonly headersTimeout: number
  readonly requestTimeout: number
  /** Milliseconds that a connection may be idle, and that it may take nothing of its answer. */
  readonly keepAliveTimeout: number
  readonly sendTimeout: number
  /** Takes a connection for good; what has been read of it follows. */
  readonly handOver: (socket: Socket) => void
}

/**
 * Serves connections without Node's HTTP server, which costs more than most calls do, for as long as each request on them is
 * plain and comes alone. From the first that is not, the connection belongs to Node's server, with all that it has sent since
 * its last answer. Answers and limits are those of Node's server.
 */
export interface PlainConnections {
  accept(socket: Socket): void
  /**
   * Asked for every request of a connection that was handed over: whether it runs already, so that its answer goes to this
   * response without it being run again.
   */
  takesResponse(response: ServerResponse): boolean
  /** Ends those that wait for a request. */
  closeIdle(): void
  closeAll(): void
  /** Ends no connection. */
  stop(): void
}

export function createPlainConnections(options: PlainOptions): PlainConnections {
  const { rpc, access, maxBody } = options
  const readHead = createPlainHeadReader(access, maxBody)
  const formatHead = createHeadFormat(options.keepAliveTimeout)
  const answers = createAnswerQueue()
  const open = new Set<{ checkTime(now: number): void; isIdle(): boolean; end(): void }>()
  /** While a connection is handed over of which a request runs. */
  let takeResponse: ((response: ServerResponse) => void) | null = null
  const timer = setInterval(
    () => {
      const now = performance.now()
      for (const connection of open) connection.checkTime(now)
    },
    Math.min(1000, options.headersTimeout),
  ).unref()

  function accept(socket: Socket): void {
    /** Clients send the same head again and again. */
    let knownHead = ''
    let knownLength = 0
    /** What is there of a request with a plain head whose body is not all there. */
    let parts: Buffer[] = []
    let missing = 0
    let bodyStart = 0
    /** When the request must be there; zero between two. */
    let deadline = performance.now() + options.headersTimeout
    /** The request that runs, and where its answer goes once Node's server has the connection. */
    let running: Buffer | null = null
    let response: ServerResponse | null = null
    let timeout = 0

    const connection = {
      checkTime(now: number) {
        if (deadline > 0 && now > deadline) breakOff(REQUEST_TIMEOUT)
      },
      isIdle: () => running === null && parts.length === 0 && socket.writableLength === 0,
      end: () => socket.destroy(),
    }
    open.add(connection)
    socket.on('data', onData)
    socket.on('end', onEnd)
    socket.on('timeout', connection.end)
    socket.on('error', ignore)
    socket.on('close', onClose)
    setSocketTimeout(options.sendTimeout)

    function onData(chunk: Buffer): void {
      if (running !== null) handOver(Buffer.concat([running, chunk]))
      else if (parts.length > 0) takePart(chunk)
      // Node's server reads no more from a client that does not take its answers.
      else if (socket.writableLength > 0) handOver(chunk)
      else takeFirst(chunk)
    }

    function takeFirst(chunk: Buffer): void {
      deadline = 0
      const headEnd = chunk.indexOf('\r\n\r\n')
      const length = headEnd < 0 || headEnd > LONGEST_HEAD ? null : readLength(chunk, headEnd)
      if (length === null) {
        handOver(chunk)
        return
      }
      bodyStart = headEnd + 4
      missing = bodyStart + length - chunk.length
      if (missing === 0) run(chunk)
      else if (missing < 0) handOver(chunk)
      else {
        parts.push(chunk)
        deadline = performance.now() + options.requestTimeout
        setSocketTimeout(options.sendTimeout)
      }
    }

    function readLength(chunk: Buffer, headEnd: number): number | null {
      const head = chunk.toString('latin1', 0, headEnd)
      if (head !== knownHead) {
        const length = readHead(head)
        if (length === null) return null
        knownHead = head
        knownLength = length
      }
      return knownLength
    }

    function takePart(chunk: Buffer): void {
      parts.push(chunk)
      missing -= chunk.length
      if (missing > 0) return
      deadline = 0
      const request = Buffer.concat(parts)
      parts = []
      if (missing === 0) run(request)
      else handOver(request)
    }

    function run(request: Buffer): void {
      running = request
      rpc.handle(
        request.toString('utf8', bodyStart),
        null,
        text => answers.add(() => answer(text)),
        isGone,
      )
      if (running !== null && response === null) setSocketTimeout(options.sendTimeout)
    }

    function isGone(): boolean {
      return response === null ? socket.destroyed : response.closed
    }

    function answer(text: string | null): void {
      running = null
      try {
        send(text)
      } catch {
        socket.destroy()
      }
    }

    function send(text: string | null): void {
      if (response !== null) sendAnswer(response, text)
      else if (socket.writable) {
        const body = text ?? ''
        const length = Buffer.byteLength(body)
        socket.write(formatHead(length) + body, length === body.length ? 'latin1' : 'utf8', onSent)
        setSocketTimeout(
          socket.writableLength === 0 ? options.keepAliveTimeout : options.sendTimeout,
        )
      }
    }

    /** Not after the connection was handed over. */
    function onSent(): void {
      if (open.has(connection) && connection.isIdle()) setSocketTimeout(options.keepAliveTimeout)
    }

    function setSocketTimeout(milliseconds: number): void {
      if (timeout === milliseconds) return
      timeout = milliseconds
      socket.setTimeout(milliseconds)
    }

    function onEnd(): void {
      if (parts.length > 0) breakOff(BAD_REQUEST)
      else socket.end()
    }

    function breakOff(answer: string): void {
      if (socket.writable) socket.write(answer)
      socket.destroy()
    }

    function onClose(): void {
      open.delete(connection)
    }

    function handOver(bytes: Buffer): void {
      open.delete(connection)
      socket.off('data', onData)
      socket.off('end', onEnd)
      socket.off('timeout', connection.end)
      socket.off('error', ignore)
      socket.off('close', onClose)
      options.handOver(socket)
      if (running !== null) {
        takeResponse = taken => {
          response = taken
        }
      }
      socket.emit('data', bytes)
      takeResponse = null
    }
  }

  return {
    accept,
    takesResponse(response) {
      if (takeResponse === null) return false
      takeResponse(response)
      takeResponse = null
      return true
    },
    closeIdle() {
      for (const connection of open) if (connection.isIdle()) connection.end()
    },
    closeAll() {
      for (const connection of open) connection.end()
    },
    stop: () => clearInterval(timer),
  }
}

/**
 * Sends answers when all requests have run that came at the same time: a client that wakes up for each of them costs a quarter of
 * the time of short calls.
 */
function createAnswerQueue() {
  const waiting: (() => void)[] = []
  let since = 0

  function send(): void {
    for (const answer of waiting.splice(0)) answer()
  }

  return {
    add(answer: () => void): void {
      const now = performance.now()
      if (waiting.length === 0) {
        since = now
        setImmediate(send)
      }
      waiting.push(answer)
      if (now - since > LONGEST_WAIT) send()
    },
  }
}

/** Milliseconds that an answer waits while others run. */
const LONGEST_WAIT = 2

/** Bytes; a quarter of what Node's server takes. */
const LONGEST_HEAD = 4096

// What Node's server says before it ends a connection.
const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'
const REQUEST_TIMEOUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

function ignore(): void {}

/** Heads of answers as Node's server writes them, by the bytes of their bodies. */
function createHeadFormat(keepAliveTimeout: number): (length: number) => string {
  const connection =
    'Connection: keep-alive\r\n' +
    (keepAliveTimeout > 0 ? `Keep-Alive: timeout=${Math.floor(keepAliveTimeout / 1000)}\r\n` : '')
  let second = 0
  let rest = ''
  return length => {
    const now = Math.floor(Date.now() / 1000)
    if (now !== second) {
      second = now
      rest = `Date: ${new Date(now * 1000).toUTCString()}\r\n${connection}\r\n`
    }
    return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${rest}`
  }
}

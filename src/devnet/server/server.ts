// server: HTTP on 127.0.0.1 for all interfaces of devnet, with faults on demand. It knows no route:
// `start-devnet.ts` hands them in.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { distortAnswer, type Fault, type Faults } from './faults.ts'
import { type Answer, type Call, HttpError, matchRoute, type Route, text } from './http.ts'

const LOOPBACK = '127.0.0.1'
const MAX_BODY = 32 * 1024 * 1024

export interface ServerOptions {
  routes: readonly Route[]
  faults: Faults
  /** Counts requests by route. */
  hits: Map<string, number>
  /** What an error of a route is answered with; null for a bug, which is a 500. */
  toHttpError(error: unknown): HttpError | null
  /** 0 for any free port. */
  port: number
  /** Takes over a websocket request for this path. */
  upgrade: { path: string; accept(request: IncomingMessage, socket: Duplex, head: Buffer): void }
}

export interface RunningServer {
  port: number
  close(): Promise<void>
}

/** Throws for every address but 127.0.0.1: anyone who reaches devnet can move its coins, its time and its blocks. */
export function assertLoopback(host: string): void {
  if (host !== LOOPBACK) throw new RangeError(`devnet listens on ${LOOPBACK} only, not on ${host}`)
}

/** Serves the routes to this machine alone, for pages of every origin. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const server = createServer((request, response) => {
    answerRequest(options, request, response).catch(() => response.destroy())
  })
  // A test's client shares its thread: one that closes idle connections meanwhile resets what the client sends next.
  server.keepAliveTimeout = 0
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    countHit(options.hits, `GET ${pathname}`)
    const fault = options.faults.take('GET', pathname)
    if (pathname !== options.upgrade.path || fault?.drop || fault?.status !== undefined) {
      socket.end(`HTTP/1.1 ${fault?.status ?? 404} Refused\r\nConnection: close\r\n\r\n`)
    } else options.upgrade.accept(request, socket, head)
  })
  await listen(server, options.port)
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('the server has no port')
  return {
    port: address.port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`port ${port} is in use, perhaps by another devnet; choose one with --port`)
          : error,
      ),
    )
    server.listen(port, LOOPBACK, () => resolve())
  })
}

async function answerRequest(
  { routes, faults, hits, toHttpError }: ServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(corsHeaders(request))) response.setHeader(name, value)
  if (request.method === 'OPTIONS') {
    response.writeHead(204).end()
    return
  }
  const url = new URL(request.url ?? '/', 'http://localhost')
  const method = request.method ?? 'GET'
  const found = matchRoute(routes, method, url.pathname)
  // Admin calls neither fail on purpose nor count: a test must always be able to take its faults back.
  const isAdmin = url.pathname.startsWith('/devnet/')
  const fault = isAdmin ? null : faults.take(method, url.pathname)
  if (!isAdmin) countHit(hits, found ? `${method} ${found.route.path}` : 'unknown')
  const body = await readBody(request)
  if (fault?.delay) await sleep(fault.delay)
  let answer: Answer = text('')
  if (isHandled(fault)) {
    const staleBlocks = fault?.staleBlocks ?? 0
    answer = found
      ? await handle(
          found.route,
          {
            params: found.params,
            query: url.searchParams,
            headers: request.headers,
            body,
            staleBlocks,
          },
          toHttpError,
        )
      : text('endpoint does not exist', 404)
  }
  if (fault?.delayAnswer) await sleep(fault.delayAnswer)
  if (fault?.drop) {
    response.destroy()
    return
  }
  send(response, fault ? distortAnswer(answer, fault) : answer)
}

function isHandled(fault: Fault | null): boolean {
  return fault?.handle ?? !(fault?.drop || fault?.status !== undefined)
}

async function handle(
  route: Route,
  call: Call,
  toHttpError: ServerOptions['toHttpError'],
): Promise<Answer> {
  try {
    return await route.handle(call)
  } catch (error) {
    const known = error instanceof HttpError ? error : toHttpError(error)
    if (known) return text(known.message, known.status)
    return text(error instanceof Error ? error.message : String(error), 500)
  }
}

function send(response: ServerResponse, { status, type, body, headers }: Answer): void {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body
  response.writeHead(status, {
    'content-type': type,
    'content-length': bytes.length,
    'cache-control': 'no-store',
    ...headers,
  })
  response.end(bytes)
}

function corsHeaders(request: IncomingMessage): Record<string, string> {
  const asked = request.headers['access-control-request-headers']
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
    'access-control-allow-headers': asked ?? '*',
    'access-control-allow-private-network': 'true',
    'access-control-expose-headers': '*',
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY) throw new Error('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function countHit(hits: Map<string, number>, name: string): void {
  hits.set(name, (hits.get(name) ?? 0) + 1)
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Rpc } from '../rpc/rpc.ts'
import type { Access } from './access.ts'

/** What is answered to GET of a path besides the RPC's. */
export interface Page {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

export interface HttpOptions {
  readonly rpc: Rpc
  readonly access: Access
  readonly pages: ReadonlyMap<string, () => Page | Promise<Page>>
  /** Bytes. */
  readonly maxBody: number
  readonly onFault: (error: unknown) => void
}

/** JSON-RPC by POST to `/`, and pages by GET. Answers of the RPC are always HTTP 200, empty for notifications. */
export function createHttpHandler(options: HttpOptions) {
  const { rpc, access, pages, maxBody, onFault } = options

  return function handle(request: IncomingMessage, response: ServerResponse): void {
    const { origin } = request.headers
    if (origin !== undefined && access.allowsOrigin(origin)) {
      response.setHeader('Access-Control-Allow-Origin', origin)
      response.setHeader('Vary', 'Origin')
    }
    const page = pages.get(readPath(request))
    const refusal = findRefusal(request)
    if (refusal) refuse(response, refusal)
    else if (request.method === 'OPTIONS') allowRequest(response, request.headers)
    else if (page) showPage(response, page)
    else if (request.method !== 'POST') write(response, 200, 'text/plain', '')
    else {
      readBody(request, maxBody, body => {
        if (body === null) refuse(response, tooLarge(maxBody))
        else {
          const answer = (text: string | null) => sendAnswer(response, text)
          rpc.handle(body, null, answer, () => response.closed)
        }
      })
    }
  }

  function findRefusal(request: IncomingMessage): Refusal | null {
    const { method = '', headers } = request
    const path = readPath(request)
    const { host, origin } = headers
    if (!access.allowsHost(host)) return { status: 403, text: 'invalid host specified' }
    const isListed = origin !== undefined && access.allowsOrigin(origin)
    if (origin !== undefined && !isListed && !EXTENSION.test(origin)) {
      return { status: 403, text: 'origin not allowed' }
    }
    if (path !== '/' && !pages.has(path)) return { status: 404, text: 'not found' }
    if (method === 'OPTIONS' && isListed) return null
    const allowed = path === '/' ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD']
    if (!allowed.includes(method)) {
      return { status: 405, text: 'method not allowed', allowed: allowed.join(', ') }
    }
    return method === 'POST' ? findBodyRefusal(headers, maxBody) : null
  }

  async function showPage(response: ServerResponse, page: () => Page | Promise<Page>) {
    try {
      const { status, contentType, text } = await page()
      write(response, status, contentType, text)
    } catch (error) {
      onFault(error)
      refuse(response, { status: 500, text: 'internal error' })
    }
  }
}

interface Refusal {
  readonly status: number
  readonly text: string
  /** Methods. */
  readonly allowed?: string
}

function findBodyRefusal(headers: IncomingMessage['headers'], maxBody: number): Refusal | null {
  if (!isJsonType(headers['content-type'])) {
    return { status: 415, text: 'invalid content type, only application/json is supported' }
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    return { status: 415, text: 'content encodings are not supported' }
  }
  return Number(headers['content-length'] ?? 0) > maxBody ? tooLarge(maxBody) : null
}

function tooLarge(maxBody: number): Refusal {
  return { status: 413, text: `content length too large (more than ${maxBody} bytes)` }
}

function readPath(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0] ?? ''
}

/** What geth takes. None of them may be sent by a page without asking first. */
const JSON_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/json-rpc',
  'application/jsonrequest',
])

/** Extensions of browsers are let in, as by geth: the browser itself asks its user what they may reach. */
const EXTENSION = /^(chrome|moz|safari-web)-extension:\/\//

export function isJsonType(contentType = ''): boolean {
  return JSON_TYPES.has((contentType.split(';', 1)[0] ?? '').trim().toLowerCase())
}

/** Calls back once: with the whole body, or with null as soon as it is too large; never where the client goes away. */
function readBody(
  request: IncomingMessage,
  maxBody: number,
  done: (body: Uint8Array | null) => void,
): void {
  let first: Buffer | null = null
  let rest: Buffer[] | null = null
  let size = 0
  request.on('data', (chunk: Buffer) => {
    if (size > maxBody) return
    size += chunk.length
    if (size > maxBody) {
      rest = null
      done(null)
    } else if (!first) {
      first = chunk
    } else {
      rest ??= [first]
      rest.push(chunk)
    }
  })
  request.on('end', () => {
    if (size <= maxBody) done(rest ? Buffer.concat(rest, size) : (first ?? new Uint8Array()))
  })
}

/** @param text - null where there is nothing to say */
export function sendAnswer(response: ServerResponse, text: string | null): void {
  write(response, 200, 'application/json', text ?? '')
}

function write(response: ServerResponse, status: number, contentType: string, text: string): void {
  response
    .writeHead(status, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(text) })
    .end(text)
}

/** The browser's question before a page's request (CORS, and Private Network Access). */
function allowRequest(response: ServerResponse, headers: IncomingMessage['headers']): void {
  response.setHeader('Access-Control-Allow-Methods', 'POST')
  response.setHeader('Access-Control-Allow-Headers', 'Content-Type')
  response.setHeader('Access-Control-Max-Age', '600')
  if (headers['access-control-request-private-network'] === 'true') {
    response.setHeader('Access-Control-Allow-Private-Network', 'true')
  }
  response.writeHead(204).end()
}

function refuse(response: ServerResponse, { status, text, allowed }: Refusal): void {
  if (allowed !== undefined) response.setHeader('Allow', allowed)
  write(response, status, 'text/plain; charset=utf-8', `${text}\n`)
}

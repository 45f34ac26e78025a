import type { IncomingHttpHeaders } from 'node:http'

/** A request as a route sees it. */
export interface Call {
  /** Values of the `:name` parts of the route's path. */
  params: Record<string, string>
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
  /** Blocks that the answer must not know of yet (a fault, see faults.ts); 0 normally. */
  staleBlocks: number
}

export interface Answer {
  status: number
  type: string
  body: string | Buffer
  headers?: Record<string, string>
}

export interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  /** For example `/api/address/:address/utxo`; a `:name` stands for one path segment. */
  path: string
  handle(call: Call): Answer | Promise<Answer>
}

/** Answered as plain text with its status. */
export class HttpError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.name = 'HttpError'
    this.status = status
  }
}

export function json(value: unknown, status = 200): Answer {
  return { status, type: 'application/json', body: JSON.stringify(value) }
}

export function text(body: string, status = 200): Answer {
  return { status, type: 'text/plain', body }
}

/** The value of a path parameter that the route's path names. */
export function param(call: Call, name: string): string {
  const value = call.params[name]
  if (value === undefined) throw new Error(`the route has no parameter ${name}`)
  return value
}

/** Finds the route of a request; earlier routes win. */
export function matchRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): { route: Route; params: Record<string, string> } | null {
  for (const route of routes) {
    if (route.method !== method) continue
    const params = matchPath(route.path, path)
    if (params) return { route, params }
  }
  return null
}

function matchPath(template: string, path: string): Record<string, string> | null {
  const names = template.split('/')
  const parts = path.split('/')
  if (names.length !== parts.length) return null
  const params: Record<string, string> = {}
  for (const [i, name] of names.entries()) {
    const part = parts[i] ?? ''
    if (name.startsWith(':')) {
      if (part === '') return null
      params[name.slice(1)] = decodePart(part)
    } else if (name !== part) return null
  }
  return params
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

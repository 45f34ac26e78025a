import type { Rpc } from '../bitcoind/rpc.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import { type ExactJson, exactJson } from '../server/exact-json.ts'
import { type Answer, type Call, HttpError, type Route } from '../server/http.ts'
import type { OrdIndex } from './ord-index.ts'

/** What ord's routes are made of. `handle` gets the index as a stale one would have it. */
export interface OrdServer {
  network: LocalNetwork
  rpc: Rpc
  get(path: string, handle: (call: Call, index: OrdIndex) => Answer): Route
  post(path: string, handle: (call: Call, index: OrdIndex) => Answer): Route
}

/** ord compares the whole header: a list that contains JSON gets the page for people. */
export function wantsJson({ headers }: Call): boolean {
  return headers.accept === 'application/json'
}

/** JSON where that alone is accepted, else a page. */
export function page(call: Call, value: ExactJson): Answer {
  if (wantsJson(call)) return exactJson(value)
  const body = '<!doctype html><html lang=en><title>ord</title><h1>ord on devnet</h1></html>\n'
  return { status: 200, type: 'text/html; charset=utf-8', body }
}

/** For routes without a page: 404 where JSON is not what is asked for. */
export function requireJson(call: Call): void {
  if (!wantsJson(call)) throw new HttpError(404, '')
}

export function notFound(what: string): HttpError {
  return new HttpError(404, `${what} not found`)
}

/** The list in a body of JSON; throws HttpError in the way of ord's web framework. */
export function parseTexts({ body, headers }: Call): string[] {
  if (!/^application\/([^;]*\+)?json\b/.test(headers['content-type'] ?? '')) {
    throw new HttpError(415, 'Expected request with `Content-Type: application/json`')
  }
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch (error) {
    throw new HttpError(400, `Failed to parse the request body as JSON: ${String(error)}`)
  }
  if (!Array.isArray(value) || !value.every(item => typeof item === 'string')) {
    throw new HttpError(422, 'Failed to deserialize the JSON body into the target type')
  }
  return value
}

/** A page number of a path; throws HttpError for anything else. */
export function parsePage(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new HttpError(400, `Invalid URL: Cannot parse ${text}`)
  return Number(text)
}

export const PAGE_SIZE = 100

/** One page of a list, and whether there is another. */
export function cutPage<Item>(
  list: readonly Item[],
  page: number,
): { items: Item[]; more: boolean } {
  const start = page * PAGE_SIZE
  return { items: list.slice(start, start + PAGE_SIZE), more: list.length > start + PAGE_SIZE }
}

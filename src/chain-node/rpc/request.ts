import { nestsDeeper } from './nesting.ts'
import { readRawIds } from './raw-id.ts'

export interface Request {
  /** JSON text of the id as the caller wrote it; null for a notification, which is not answered. */
  readonly id: string | null
  /** Null where this is not a request at all. */
  readonly method: string | null
  readonly params: unknown
}

export type RequestBody =
  | { readonly single: Request }
  | { readonly batch: readonly Request[] }
  /** More elements than are read; `id` is that of the first call among them. */
  | { readonly tooLarge: { readonly id: string } }

/** Reads JSON-RPC 2.0's requests; `jsonrpc` may be missing, as in the specification's samples. Null for what is not JSON. */
export function readRequests(body: Uint8Array | string, maxBatch: number): RequestBody | null {
  const text =
    typeof body === 'string'
      ? body
      : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
  if (text.length > MAX_NESTING && nestsDeeper(text, MAX_NESTING)) return null
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  const rawIds = hasPlainIds(text) ? null : readRawIds(text)
  if (!Array.isArray(value)) return { single: readRequest(value, rawIds?.[0]) }
  if (value.length <= maxBatch) {
    return { batch: value.map((element, i) => readRequest(element, rawIds?.[i])) }
  }
  for (const [i, element] of value.entries()) {
    const request = readRequest(element, rawIds?.[i])
    if (request.method !== null && request.id !== null) return { tooLarge: { id: request.id } }
  }
  return { tooLarge: { id: 'null' } }
}

/** As in Go's encoding/json: five megabytes of brackets would keep the parser for the better part of a second. */
const MAX_NESTING = 10_000

/** A number that is written otherwise than JavaScript writes it, or is not exact there. */
const ODD_NUMBER = /"id"\s*:\s*(?!(?:0|-?[1-9]\d{0,14})\s*[,}])[-\d]/

/** Whether every id can be written back from its parsed value, byte for byte. */
function hasPlainIds(text: string): boolean {
  return !text.includes('\\') && !ODD_NUMBER.test(text)
}

function readRequest(value: unknown, rawId: string | null | undefined): Request {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return NOT_A_REQUEST
  const { jsonrpc, id, method, params } = value as Record<string, unknown>
  const isIdentified = typeof id === 'string' || typeof id === 'number' || id === null
  const idText = isIdentified ? (rawId ?? formatId(id)) : null
  if (
    (id === undefined || isIdentified) &&
    (jsonrpc === undefined || jsonrpc === '2.0') &&
    typeof method === 'string' &&
    method !== ''
  ) {
    return { id: idText, method, params }
  }
  return idText === null ? NOT_A_REQUEST : { id: idText, method: null, params: null }
}

const NOT_A_REQUEST: Request = { id: 'null', method: null, params: null }

function formatId(id: string | number | null): string {
  return typeof id === 'string' ? `"${id}"` : String(id)
}

import { joinBytes } from '../../bitcoin/bytes.ts'
import { BackendUnavailableError, type ServerProblem } from '../chain-source.ts'
import { InvalidServerUrlError } from './invalid-server-url.ts'

/** A server's answer: its status, at most `maxBytes` of body, also as text, and how long it wants to be left alone. */
export type HttpAnswer = {
  status: number
  bytes: Uint8Array
  readonly body: string
  contentType: string | null
  retryAfter: string | null
}

export type HttpRequest = {
  method?: 'GET' | 'POST'
  body?: string
  /** What the body is; plain text unless said. */
  contentType?: string
  /** The Accept header, as it is. */
  accept?: string
  /** A key that the server wants (RFC 6750). */
  bearer?: string
  timeoutMs?: number
  maxBytes?: number
}

/** Asks a server; follows no redirect, sends no cookie, stops after `timeoutMs` and at `maxBytes` ({@link AnswerTooLongError}). */
export async function sendRequest(url: string, request: HttpRequest = {}): Promise<HttpAnswer> {
  const { method = 'GET', body, timeoutMs = 15_000, maxBytes = 8_000_000 } = request
  const { accept, bearer, contentType = 'text/plain' } = request
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(accept === undefined ? {} : { accept }),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': contentType }),
      },
      ...(body === undefined ? {} : { body }),
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal,
    })
    const bytes = await readBody(response, maxBytes)
    if (bytes !== null) return toAnswer(response, bytes)
  } catch (cause) {
    const detail = signal.aborted
      ? `did not answer within ${Math.ceil(timeoutMs / 1000)} s`
      : 'could not be reached'
    throw serverFailure('unreachable', url, detail, { cause })
  }
  throw new AnswerTooLongError(url, maxBytes)
}

/** The server sent more than was asked for. */
export class AnswerTooLongError extends BackendUnavailableError {
  override name = 'AnswerTooLongError'
  constructor(url: string, maxBytes: number) {
    const detail = `sent an answer longer than ${maxBytes} bytes`
    super({ kind: 'nonsense', host: hostOf(url), detail, retryInMs: null })
  }
}

function toAnswer({ status, headers }: Response, bytes: Uint8Array): HttpAnswer {
  return {
    status,
    bytes,
    get body() {
      return new TextDecoder().decode(bytes)
    },
    contentType: headers.get('content-type'),
    retryAfter: headers.get('retry-after'),
  }
}

/** Null when the body is longer than `maxBytes`. */
async function readBody(response: Response, maxBytes: number): Promise<Uint8Array | null> {
  const reader = response.body?.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > maxBytes) {
      await reader.cancel()
      return null
    }
    parts.push(value)
  }
  return joinBytes(parts)
}

/** The error of a server at `url`; nothing is planned about it. */
export function serverFailure(
  kind: ServerProblem['kind'],
  url: string,
  detail: string,
  options?: ErrorOptions,
): BackendUnavailableError {
  return new BackendUnavailableError({ kind, host: hostOf(url), detail, retryInMs: null }, options)
}

export function hostOf(url: string): string {
  return new URL(url).host
}

/** Whether a server is on this computer. */
export function isOwnMachine(url: string): boolean {
  return /^(127\.0\.0\.1|localhost)$/.test(new URL(url).hostname)
}

/** The address of a server as a person types it, checked: https, or http on this machine; no credentials, query or fragment. */
export function parseServerUrl(text: string): string {
  let url: URL
  try {
    url = new URL(text.trim())
  } catch (cause) {
    throw new InvalidServerUrlError('is not an address', { cause })
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOwnMachine(url.href))) {
    throw new InvalidServerUrlError('must begin with https:// (http:// only on this machine)')
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new InvalidServerUrlError('must not hold a name, password, query or fragment')
  }
  return url.href.replace(/\/+$/, '')
}

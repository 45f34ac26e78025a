import { BackendUnavailableError, type ServerProblem } from './chain-source.ts'

/** A server's answer: its status, at most `maxBytes` of body as text, and how long it wants to be left alone. */
export type HttpAnswer = { status: number; body: string; retryAfter: string | null }

export type HttpRequest = {
  method?: 'GET' | 'POST'
  body?: string
  timeoutMs?: number
  maxBytes?: number
}

/** Asks a server; follows no redirect, sends no cookie, stops after `timeoutMs` and at `maxBytes`. */
export async function requestText(url: string, request: HttpRequest = {}): Promise<HttpAnswer> {
  const { method = 'GET', body, timeoutMs = 15_000, maxBytes = 8_000_000 } = request
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method,
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'text/plain' } }),
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal,
    })
    const text = await readBody(response, maxBytes)
    const retryAfter = response.headers.get('retry-after')
    if (text !== null) return { status: response.status, body: text, retryAfter }
  } catch (cause) {
    const detail = signal.aborted
      ? `did not answer within ${Math.ceil(timeoutMs / 1000)} s`
      : 'could not be reached'
    throw serverFailure('unreachable', url, detail, { cause })
  }
  throw serverFailure('nonsense', url, `sent an answer longer than ${maxBytes} bytes`)
}

/** Null when the body is longer than `maxBytes`. */
async function readBody(response: Response, maxBytes: number): Promise<string | null> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.length
    if (size > maxBytes) {
      await reader.cancel()
      return null
    }
    text += decoder.decode(value, { stream: true })
  }
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

/** The address of a server as a person types it, checked: https, or http on this machine; no credentials, query or fragment. */
export function parseServerUrl(text: string): string {
  let url: URL
  try {
    url = new URL(text.trim())
  } catch (cause) {
    throw new InvalidServerUrlError('is not an address', { cause })
  }
  const loopback = url.hostname === '127.0.0.1' || url.hostname === 'localhost'
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
    throw new InvalidServerUrlError('must begin with https:// (http:// only on this machine)')
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new InvalidServerUrlError('must not hold a name, password, query or fragment')
  }
  return url.href.replace(/\/+$/, '')
}

export class InvalidServerUrlError extends Error {
  override name = 'InvalidServerUrlError'
  constructor(problem: string, options?: ErrorOptions) {
    super(`The server address ${problem}.`, options)
  }
}

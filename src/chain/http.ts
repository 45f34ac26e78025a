import { BackendUnavailableError } from './chain-source.ts'

/** A server's answer: its status and at most `maxBytes` of body as text. */
export type HttpAnswer = { status: number; body: string }

export type HttpRequest = {
  method?: 'GET' | 'POST'
  body?: string
  timeoutMs?: number
  maxBytes?: number
}

/** Asks a server; follows no redirect, sends no cookie, stops after `timeoutMs` and at `maxBytes`. */
export async function requestText(url: string, request: HttpRequest = {}): Promise<HttpAnswer> {
  const { method = 'GET', body, timeoutMs = 15_000, maxBytes = 8_000_000 } = request
  try {
    const response = await fetch(url, {
      method,
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'text/plain' } }),
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, body: await readBody(response, maxBytes) }
  } catch (cause) {
    if (cause instanceof BackendUnavailableError) throw cause
    throw new BackendUnavailableError(`The server ${new URL(url).host} did not answer.`, { cause })
  }
}

async function readBody(response: Response, maxBytes: number): Promise<string> {
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
      throw new BackendUnavailableError(`The server's answer is longer than ${maxBytes} bytes.`)
    }
    text += decoder.decode(value, { stream: true })
  }
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

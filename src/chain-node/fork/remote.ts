import { setTimeout as wait } from 'node:timers/promises'
import { RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'

/** One request to a node. */
export interface RemoteCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** What the node said to it: a result, or an error of its own. */
export type RemoteAnswer = { readonly result: unknown } | { readonly error: RpcError }

/** Another chain's node, reached by JSON-RPC over HTTP. */
export interface Remote {
  /** Where it is, without what in its URL may be a secret. */
  readonly name: string
  /** Answers in the order of the calls. Throws `RemoteError` where the node cannot be reached or answers with something else. */
  ask(calls: readonly RemoteCall[]): Promise<RemoteAnswer[]>
  /** The result of one call. Throws `RemoteError` as `ask` does, and the `RpcError` that the node answered. */
  request(method: string, params: readonly unknown[]): Promise<unknown>
  /** Ends what is being asked. */
  close(): void
}

/** A remote node that cannot be reached, or an answer of it that cannot be taken. */
export class RemoteError extends RpcError {
  constructor(message: string) {
    super(SERVER_ERROR, message)
  }
}

export interface RemoteLimits {
  /** HTTP requests at once. */
  readonly concurrent: number
  /** Milliseconds of one. */
  readonly time: number
  readonly tries: number
  /** Milliseconds between them. */
  readonly pause: number
  /** Calls in a batch. */
  readonly batch: number
  /** Bytes of an answer. */
  readonly bytes: number
}

export const DEFAULT_REMOTE_LIMITS: RemoteLimits = {
  concurrent: 8,
  time: 20_000,
  tries: 2,
  pause: 250,
  batch: 40,
  bytes: 64 * 2 ** 20,
}

/** @param url - http or https; a user and a password in it are sent as HTTP's basic authorization */
export function createRemote(
  url: URL,
  limits: RemoteLimits = DEFAULT_REMOTE_LIMITS,
  send: typeof fetch = (target, options) => fetch(target, options),
): Remote {
  const name = url.origin
  const hide = createRedaction(url)
  const headers = describeHeaders(url)
  const target = new URL(url)
  target.username = ''
  target.password = ''
  const closing = new AbortController()
  const takeTurn = createTurns(limits.concurrent)
  /** Whether it is known to take no batches. */
  let oneByOne = false

  function fail(reason: string): RemoteError {
    return new RemoteError(`the remote node ${name} ${hide(reason)}`)
  }

  /** Tries as often as there is hope. */
  async function post(body: unknown): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await takeTurn(() => postOnce(body))
      } catch (error) {
        if (!(error instanceof Hitch)) throw error
        if (attempt >= limits.tries || closing.signal.aborted) throw fail(error.message)
        await wait(limits.pause)
      }
    }
  }

  async function postOnce(body: unknown): Promise<unknown> {
    if (closing.signal.aborted) throw fail('is not asked any more: this node is stopping')
    let response: Response
    let text: string
    try {
      response = await send(target, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(limits.time)]),
      })
      text = await readText(response, limits.bytes)
    } catch (error) {
      if (closing.signal.aborted) throw fail('is not asked any more: this node is stopping')
      if (error instanceof AnswerTooLarge) throw fail(error.message)
      throw new Hitch(describeFailure(error, limits.time))
    }
    const { status } = response
    if (status === 429 || status >= 500) throw new Hitch(`answers with HTTP status ${status}`)
    try {
      return JSON.parse(text)
    } catch {
      throw fail(
        status === 200 ? 'answers with what is not JSON' : `answers with HTTP status ${status}`,
      )
    }
  }

  async function askOne(call: RemoteCall): Promise<RemoteAnswer> {
    const answer = await post({ jsonrpc: '2.0', id: 1, ...call })
    return readAnswer(call, answer)
  }

  async function askBatch(calls: readonly RemoteCall[]): Promise<RemoteAnswer[]> {
    if (calls.length === 1 || oneByOne) return Promise.all(calls.map(askOne))
    const answers = await post(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
    const isRefused = !Array.isArray(answers) || (answers.length === 1 && answers[0]?.error)
    if (isRefused) {
      oneByOne = true
      return Promise.all(calls.map(askOne))
    }
    const byId = new Map(answers.map(answer => [answer?.id, answer]))
    return calls.map((call, id) => readAnswer(call, byId.get(id)))
  }

  function readAnswer({ method }: RemoteCall, answer: unknown): RemoteAnswer {
    const { result, error } = (answer ?? {}) as { result?: unknown; error?: unknown }
    if (error !== undefined && error !== null) return { error: readError(method, error) }
    if (result === undefined) throw fail(`has no result and no error in its answer to ${method}`)
    return { result }
  }

  function readError(method: string, error: unknown): RpcError {
    const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
    if (typeof code !== 'number' || typeof message !== 'string') {
      throw fail(`answers ${method} with an error without code or message`)
    }
    return new RpcError(code, hide(message), typeof data === 'string' ? data : undefined)
  }

  async function ask(calls: readonly RemoteCall[]): Promise<RemoteAnswer[]> {
    const batches: RemoteCall[][] = []
    for (let start = 0; start < calls.length; start += limits.batch) {
      batches.push(calls.slice(start, start + limits.batch))
    }
    return (await Promise.all(batches.map(askBatch))).flat()
  }

  return {
    name,
    ask,
    async request(method, params) {
      const [answer] = (await ask([{ method, params }])) as [RemoteAnswer]
      if ('error' in answer) throw answer.error
      return answer.result
    },
    close: () => closing.abort(),
  }
}

/** What may be gone when it is tried again. */
class Hitch extends Error {}

class AnswerTooLarge extends Error {}

async function readText(response: Response, most: number): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > most) throw new AnswerTooLarge(`answers with more than ${most} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** The texts of `fetch` itself say nothing, and may have the URL in them. */
function describeFailure(error: unknown, time: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `has not answered within ${time / 1000} s`
  }
  const cause = error instanceof Error ? error.cause : undefined
  const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown }
  const reason = typeof code === 'string' ? code : typeof message === 'string' ? message : ''
  return `cannot be reached${reason === '' ? '' : ` (${reason})`}`
}

function describeHeaders({ username, password }: URL): Record<string, string> {
  const base = { 'Content-Type': 'application/json' }
  if (username === '' && password === '') return base
  const login = `${decode(username)}:${decode(password)}`
  return { ...base, Authorization: `Basic ${Buffer.from(login).toString('base64')}` }
}

/** Takes out of a text what nobody should read who reads a log: keys stand in paths and queries as well. */
function createRedaction({ username, password, pathname, search }: URL): (text: string) => string {
  const segments = pathname.split('/').filter(segment => segment.length >= 8)
  const values = search.slice(1).split(/[=&]/)
  const secrets = [pathname.slice(1), search.slice(1), ...segments, ...values, username, password]
    .flatMap(secret => [secret, decode(secret)])
    .filter(secret => secret.length >= 4)
    .sort((a, b) => b.length - a.length)
  return text => {
    const short = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text
    return secrets.reduce((left, secret) => left.replaceAll(secret, '***'), short)
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Characters of what a node says that are passed on. */
const LONGEST_TEXT = 500

/** Lets so many run at once, in the order in which they come. */
function createTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async work => {
    if (running >= most) await new Promise<void>(resolve => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}

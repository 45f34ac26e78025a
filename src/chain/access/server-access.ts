// access: HTTP and websockets to servers: limits of rate and size, timeouts, back-off, and parsers of JSON that
// throw on every surprise. It knows no server's interface.

import { BackendUnavailableError, type ServerProblem } from '../chain-source.ts'
import {
  type HttpAnswer,
  type HttpRequest,
  hostOf,
  isOwnMachine as isLoopback,
  sendRequest,
  serverFailure,
} from './http.ts'

const MAX_AT_ONCE = 4
/** Public servers ban who asks more than a few times a second for long; a screen or two at once are fine. */
const BURST = 40
const PER_SECOND = 4
const FIRST_REST_MS = 1000
const LONGEST_REST_MS = 60_000
const LONGEST_RETRY_AFTER_MS = 3_600_000

/**
 * Sends requests to servers. After a failure, requests to the host throw the last problem at once, for 1, 2, 4 … 60 s or
 * for as long as its Retry-After says; a success ends that. A host gets at most four requests at a time and, unless it is
 * this machine, four a second in the long run. Callers that wait for the same GET share one request.
 */
export type ServerAccess = {
  /** Resolves an answer that is neither 403, 429 nor 5xx, or of which `isAnswer` holds. Throws BackendUnavailableError. */
  ask(url: string, request?: AccessRequest): Promise<HttpAnswer>
  /** Ends a server's back-off, for a person who wants an answer now. */
  resetBackoff(server: string): void
}

export type AccessRequest = HttpRequest & {
  /** Ignores the host's back-off: for broadcasts, and for what a person asks for. */
  bypassBackoff?: boolean
  /** Address of the server, of which `url` is a part: on this machine several share one host, and each backs off alone. */
  server?: string
  /** Whether an answer with an error status answers the question, so that it is no failure of the server. */
  isAnswer?(answer: HttpAnswer): boolean
}

type Host = {
  failures: number
  /** The rest that it is given, from the last failure on. */
  restFrom: number
  restUntil: number
  problem: ServerProblem | null
  running: number
  waiting: (() => void)[]
  /** Requests that it may have at once; below 0 for those that wait for theirs. */
  tokens: number
  filledAt: number
}

/** `isOwnMachine` says which hosts have no limit of requests a second; `random` spreads the back-off. */
export function createServerAccess({
  now,
  random,
  isOwnMachine = isLoopback,
}: {
  now(): number
  random(length: number): Uint8Array
  isOwnMachine?(url: string): boolean
}): ServerAccess {
  const hosts = new Map<string, Host>()
  const inFlight = new Map<string, Promise<HttpAnswer>>()

  return {
    ask(url, request = {}) {
      if (request.method === 'POST') return askInTurn(url, request)
      const key = JSON.stringify([url, request])
      const shared = inFlight.get(key) ?? askInTurn(url, request)
      inFlight.set(key, shared)
      const forget = () => void inFlight.delete(key)
      shared.then(forget, forget)
      return shared
    },
    resetBackoff(server) {
      for (const host of [hostAt(server, {}), hostAt(server, { server })]) host.restUntil = 0
    },
  }

  async function askInTurn(url: string, request: AccessRequest): Promise<HttpAnswer> {
    const host = hostAt(url, request)
    if (request.bypassBackoff) return askNow(host, url, request)
    if (host.running >= MAX_AT_ONCE) await new Promise<void>(go => host.waiting.push(go))
    else host.running++
    try {
      assertNoRest(host)
      if (!isOwnMachine(url)) await takeToken(host)
      return await askNow(host, url, request)
    } finally {
      // The slot goes to the next one, or is free.
      const next = host.waiting.shift()
      if (next) next()
      else host.running--
    }
  }

  async function takeToken(host: Host): Promise<void> {
    // A clock that is set back takes nothing away.
    const gained = (Math.max(0, now() - host.filledAt) / 1000) * PER_SECOND
    host.tokens = Math.min(host.tokens + gained, BURST) - 1
    host.filledAt = now()
    const pause = (-host.tokens / PER_SECOND) * 1000
    if (pause > 0) await new Promise(resolve => setTimeout(resolve, pause))
  }

  async function askNow(host: Host, url: string, request: AccessRequest): Promise<HttpAnswer> {
    const { failures } = host
    try {
      const answer = await sendRequest(url, request)
      assertWell(url, answer, request)
      host.failures = 0
      host.restUntil = 0
      return answer
    } catch (cause) {
      if (!(cause instanceof BackendUnavailableError)) throw cause
      if (cause.problem.kind === 'nonsense') throw cause
      // Requests that were under way together fail together: that is one failure.
      if (host.failures === failures) {
        host.failures++
        const rest = Math.max(restAfter(host.failures), cause.problem.retryInMs ?? 0)
        host.restFrom = now()
        host.restUntil = host.restFrom + rest
      }
      host.problem = cause.problem
      throw new BackendUnavailableError(
        { ...cause.problem, retryInMs: Math.max(0, host.restUntil - now()) },
        { cause },
      )
    }
  }

  /** Throws for what says nothing about the question; `retryInMs` is then what the server asked for. */
  function assertWell(url: string, answer: HttpAnswer, { bearer, isAnswer }: AccessRequest): void {
    const { status, retryAfter } = answer
    if (status !== 403 && status !== 429 && status < 500) return
    if (isAnswer?.(answer)) return
    const kind = status === 429 ? 'rate-limited' : 'unreachable'
    const { problem } = serverFailure(kind, url, describeAnswer(status, answer.body, bearer))
    throw new BackendUnavailableError({ ...problem, retryInMs: parseRetryAfter(retryAfter, now()) })
  }

  /** Where the clock was set back since, nobody knows how long it has lasted: then it is over. */
  function assertNoRest({ problem, restFrom, restUntil }: Host): void {
    const retryInMs = now() < restFrom ? 0 : restUntil - now()
    if (problem && retryInMs > 0) throw new BackendUnavailableError({ ...problem, retryInMs })
  }

  /** Up to a quarter longer than its turn, so that not all wallets come back at once. */
  function restAfter(failures: number): number {
    const turn = Math.min(FIRST_REST_MS * 2 ** (failures - 1), LONGEST_REST_MS)
    return turn + Math.floor((turn / 4) * ((random(1)[0] ?? 0) / 256))
  }

  function hostAt(url: string, { server }: AccessRequest): Host {
    const name = server && isOwnMachine(url) ? server : hostOf(url)
    const host = hosts.get(name) ?? {
      failures: 0,
      restFrom: 0,
      restUntil: 0,
      problem: null,
      running: 0,
      waiting: [],
      tokens: BURST,
      filledAt: now(),
    }
    hosts.set(name, host)
    return host
  }
}

/** A status with the beginning of what came with it, in printable characters, without the key that the server was sent. */
export function describeAnswer(status: number, body: string, key?: string): string {
  const words = (key ? body.replaceAll(key, '…') : body)
    .slice(0, 300)
    .replace(/[^\x21-\x7e]+/g, ' ')
    .trim()
  return `answered ${status}${words && `: ${words.slice(0, 120)}`}`
}

/** Milliseconds of a Retry-After (RFC 9110, 10.2.3), in seconds or as a date; at most an hour, null for none. */
function parseRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null
  const delay = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(delay) ? null : Math.min(Math.max(delay, 0), LONGEST_RETRY_AFTER_MS)
}

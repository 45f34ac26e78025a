import { type HttpAnswer, serverFailure } from '../access/http.ts'
import {
  MalformedAnswerError,
  malformed,
  parseBoolean,
  parseJson,
  parseRecord,
  parseText,
} from '../access/json-reader.ts'
import { describeAnswer, type ServerAccess } from '../access/server-access.ts'

export type AtomicalsDeps = {
  access: ServerAccess
  /** Asks at once, also while the server rests. */
  bypassBackoff?: boolean
}

/** A method of the server with its parameters; a transaction is too long for an address, and goes by POST. */
export type AtomicalsQuestion = {
  method: string
  params: readonly unknown[]
  by?: 'GET' | 'POST'
  timeoutMs?: number
  maxBytes?: number
}

/** Asks the HTTP service of atomicals-electrumx. */
export type AtomicalsReader = {
  /**
   * What `read` makes of the response. Where `missing` is given, it is what a refusal that says `not found` of this id
   * returns. Throws BackendUnavailableError.
   */
  ask<T>(
    question: AtomicalsQuestion,
    read: (response: unknown) => T,
    missing?: { id: string; answer: T },
  ): Promise<T>
}

/** `url` ends in the path before the method, without a slash (electrumx/server/session/http_session.py: `/proxy`). */
export function createAtomicalsReader(
  url: string,
  { access, bypassBackoff = false }: AtomicalsDeps,
): AtomicalsReader {
  return {
    async ask(question, read, missing) {
      const answer = await send(question)
      try {
        const parsed = parseAnswer(answer)
        if (!('refusal' in parsed)) return read(parsed.response)
        const { refusal } = parsed
        if (missing && /not found/i.test(refusal) && refusal.includes(missing.id)) {
          return missing.answer
        }
      } catch (cause) {
        if (!(cause instanceof MalformedAnswerError)) throw cause
        if (isGood(answer)) {
          throw serverFailure('nonsense', url, `sent ${cause.message}`, { cause })
        }
      }
      throw serverFailure('nonsense', url, describeAnswer(answer.status, answer.body))
    },
  }

  function send({ method, params, by = 'GET', ...limits }: AtomicalsQuestion): Promise<HttpAnswer> {
    const request = { server: url, bypassBackoff, isAnswer: isRefusal, ...limits }
    if (by === 'GET') {
      const query = new URLSearchParams({ params: JSON.stringify(params) })
      return access.ask(`${url}/${method}?${query}`, request)
    }
    const body = JSON.stringify({ params })
    const contentType = 'application/json'
    return access.ask(`${url}/${method}`, { ...request, method: 'POST', body, contentType })
  }
}

/** What it cannot answer, an id that it does not know among it, the server says with status 500. */
function isRefusal(answer: HttpAnswer): boolean {
  if (answer.status !== 500) return false
  try {
    return 'refusal' in parseAnswer(answer)
  } catch (cause) {
    if (cause instanceof MalformedAnswerError) return false
    throw cause
  }
}

function parseAnswer(answer: HttpAnswer): { response: unknown } | { refusal: string } {
  const fields = parseRecord('the answer', parseJson(answer.body))
  if (!parseBoolean('success', fields.success)) {
    return { refusal: parseText('message', fields.message, 1_000_000) }
  }
  if (!isGood(answer)) throw malformed('the status', '200')
  return { response: fields.response }
}

function isGood({ status }: HttpAnswer): boolean {
  return status >= 200 && status <= 299
}

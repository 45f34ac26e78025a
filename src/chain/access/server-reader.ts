import { BackendUnavailableError } from '../chain-source.ts'
import { type HttpAnswer, hostOf, serverFailure } from './http.ts'
import { MalformedAnswerError } from './json-reader.ts'
import { type AccessRequest, describeAnswer, type ServerAccess } from './server-access.ts'

/** Asks one server and reads what it says. */
export type ServerReader = {
  host: string
  /** What `read` makes of the body. Where `missing` is given, a 404 is what it returns (or throws). */
  get<T>(path: string, read: (body: string) => T, missing?: () => T): Promise<T>
  /** As `get`, of the whole answer, with what else the request takes; a 405 (RFC 9110: no such method there) is missing too. */
  ask<T>(
    path: string,
    request: AccessRequest,
    read: (answer: HttpAnswer) => T,
    missing?: () => T,
  ): Promise<T>
  post(path: string, body: string): Promise<{ status: number; body: string }>
}

/** `url` is without a slash at its end. Everything but a good answer is a BackendUnavailableError that says why. */
export function createServerReader(
  url: string,
  access: ServerAccess,
  { bypassBackoff = false }: Pick<AccessRequest, 'bypassBackoff'> = {},
): ServerReader {
  return {
    host: hostOf(url),
    get: (path, read, missing) => ask(path, {}, ({ body }) => read(body), missing),
    ask,
    post: (path, body) =>
      access.ask(`${url}${path}`, {
        server: url,
        method: 'POST',
        body,
        timeoutMs: 30_000,
        bypassBackoff: true,
      }),
  }

  async function ask<T>(
    path: string,
    request: AccessRequest,
    read: (answer: HttpAnswer) => T,
    missing?: () => T,
  ): Promise<T> {
    const answer = await access.ask(`${url}${path}`, { server: url, bypassBackoff, ...request })
    const { status } = answer
    if ((status === 404 || status === 405) && missing) return missing()
    if (status === 400 && /too many/i.test(answer.body)) {
      throw serverFailure('too-many-coins', url, describeAnswer(status, answer.body))
    }
    // Not 200 alone: mempool.space marks what it would rather not serve with 203.
    if (status < 200 || status > 299) {
      throw serverFailure('nonsense', url, describeAnswer(status, answer.body))
    }
    try {
      return read(answer)
    } catch (cause) {
      if (cause instanceof BackendUnavailableError) throw cause
      if (!(cause instanceof MalformedAnswerError)) throw cause
      throw serverFailure('nonsense', url, `sent ${cause.message}`, { cause })
    }
  }
}

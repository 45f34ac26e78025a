import { type HttpAnswer, hostOf, serverFailure } from '../access/http.ts'
import { MalformedAnswerError } from '../access/json-reader.ts'
import { describeAnswer, type ServerAccess } from '../access/server-access.ts'

export type Brc20ReaderDeps = {
  access: ServerAccess
  /** What the person was given by who runs the server; null for none. */
  key: string | null
  /** Asks at once, also while the server rests. */
  bypassBackoff?: boolean
}

/** Asks a server of BRC-20. */
export type Brc20Reader = {
  host: string
  /** What `read` makes of an answer of any status. Throws BackendUnavailableError, in which the key never is. */
  ask<T>(path: string, read: (answer: HttpAnswer) => T): Promise<T>
}

/** `url` is without a slash at its end; the key goes there and nowhere else. */
export function createBrc20Reader(
  url: string,
  { access, key, bypassBackoff = false }: Brc20ReaderDeps,
): Brc20Reader {
  return {
    host: hostOf(url),
    async ask(path, read) {
      const bearer = key === null ? {} : { bearer: key }
      const answer = await access.ask(`${url}${path}`, { server: url, bypassBackoff, ...bearer })
      return readAnswer(answer, read)
    },
  }

  function readAnswer<T>(answer: HttpAnswer, read: (answer: HttpAnswer) => T): T {
    try {
      return read(answer)
    } catch (cause) {
      if (!(cause instanceof MalformedAnswerError)) throw cause
      const { status, body } = answer
      const said =
        status === 200 ? `sent ${cause.message}` : describeAnswer(status, body, key ?? undefined)
      throw serverFailure('nonsense', url, said, { cause })
    }
  }
}

import { AnswerTooLongError } from '../access/http.ts'
import {
  MalformedAnswerError,
  malformed,
  parseArray,
  parseExactJson,
} from '../access/json-reader.ts'
import type { ServerReader } from '../access/server-reader.ts'
import { BackendUnavailableError } from '../chain-source.ts'

/** A kind of thing that ord serves one by one and as a list. */
export type OrdList<T> = {
  /** Takes a list of keys by POST, and answers one entry a key, in their order. */
  list: string
  /** Begins the path of one. */
  single: string
  /** The key that an entry says it is of. */
  keyOf(entry: unknown): unknown
  /** Throws MalformedAnswerError. */
  read(entry: unknown): T
}

type Entries<T> = (readonly [key: string, entry: T | null])[]

/** ord looks every output up at its node: some hundred are answered in a second. */
const CHUNK = 250
/** How often the lists of one question are halved to find the keys that the server does not have: a limit on its load. */
const MAX_PARTED = 60
/** An index of sats sends all ranges of an output too, which can be thousands. */
const MAX_BYTES = 16_000_000
/** ord compares the header as a text; anything beside this gets HTML. */
const JSON_TYPE = 'application/json'

/** The request of an answer in JSON. */
export const ASK_JSON = { accept: JSON_TYPE, maxBytes: MAX_BYTES }

/** Asks for many of a kind, by their keys. */
export function createOrdList<T>(server: ServerReader, { list, single, keyOf, read }: OrdList<T>) {
  let isSupported: boolean | null = null

  return {
    /**
     * The entries by key: null for what the server does not have, left out where it gave no usable answer. Throws
     * BackendUnavailableError when it gave none at all.
     */
    async ask(keys: readonly string[]): Promise<Map<string, T | null>> {
      const chunks = Array.from({ length: Math.ceil(keys.length / CHUNK) }, (_, index) =>
        keys.slice(index * CHUNK, (index + 1) * CHUNK),
      )
      const left = { parted: MAX_PARTED }
      const outcomes = await Promise.allSettled(chunks.map(chunk => askChunk(chunk, left)))
      const reasons = outcomes.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
      const bug = reasons.find(reason => !(reason instanceof BackendUnavailableError))
      if (bug || (reasons.length > 0 && reasons.length === chunks.length)) throw bug ?? reasons[0]
      return new Map(outcomes.flatMap(one => (one.status === 'fulfilled' ? [...one.value] : [])))
    },
  }

  async function askChunk(keys: readonly string[], left: { parted: number }): Promise<Entries<T>> {
    if (isSupported === false) return askSingly(keys)
    const entries = await post(keys).catch(cause => {
      if (cause instanceof AnswerTooLongError) return cause
      throw cause
    })
    if (entries && !(entries instanceof AnswerTooLongError)) return entries
    // Null means that it takes no lists, or that it does not have one of the keys.
    isSupported ??= entries !== null || (await post([])) !== null
    if (!isSupported) return askSingly(keys)
    // A single entry that is too long is left out, and no other with it.
    if (keys.length === 1) return entries ? [] : keys.map(key => [key, null])
    if (left.parted-- <= 0) return []
    const half = Math.ceil(keys.length / 2)
    const first = await askChunk(keys.slice(0, half), left)
    return [...first, ...(await askChunk(keys.slice(half), left))]
  }

  function post(keys: readonly string[]): Promise<Entries<T> | null> {
    const body = JSON.stringify(keys)
    const request = { ...ASK_JSON, body, contentType: JSON_TYPE, timeoutMs: 30_000 }
    return server.ask<Entries<T> | null>(
      list,
      { ...request, method: 'POST' },
      answer => {
        const entries = parseArray(list, parseExactJson(answer.body))
        if (entries.length !== keys.length) {
          throw malformed(list, 'one entry for each that was asked for')
        }
        return keys.flatMap((key, index) => readEntry(key, entries[index]))
      },
      () => null,
    )
  }

  /** Asks key by key and keeps the answers that succeed. Throws when none does. */
  async function askSingly(keys: readonly string[]): Promise<Entries<T>> {
    const failures: BackendUnavailableError[] = []
    const entries = keys.map(key =>
      server
        .ask<Entries<T>>(
          `${single}/${encodeURIComponent(key)}`,
          ASK_JSON,
          ({ body }) => readEntry(key, parseExactJson(body)),
          () => [[key, null]],
        )
        .catch(cause => {
          if (!(cause instanceof BackendUnavailableError)) throw cause
          if (cause.problem.kind !== 'nonsense') failures.push(cause)
          return []
        }),
    )
    const answers = (await Promise.all(entries)).flat()
    if (failures[0] && answers.length === 0) throw failures[0]
    return answers
  }

  /** Skips an entry that is malformed. An entry of another key makes the whole list worthless, and throws. */
  function readEntry(key: string, entry: unknown): Entries<T> {
    if (keyOf(entry) !== key) throw malformed(single, 'the one that was asked for')
    try {
      return [[key, read(entry)]]
    } catch (cause) {
      if (cause instanceof MalformedAnswerError) return []
      throw cause
    }
  }
}

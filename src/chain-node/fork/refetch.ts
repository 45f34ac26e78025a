import { type Missing, MissingStateError, nameMissing } from './missing-state.ts'
import { RemoteError } from './remote.ts'
import type { StateFetcher } from './state-fetcher.ts'

/** Milliseconds in which what one request needs of the remote is fetched; what runs in between does not count. */
const LONGEST_FETCHING = 60_000

/**
 * Runs what reads state until all that it reads is known: what is missing is fetched, and it is run again from its beginning. It
 * must have done nothing when it throws `MissingStateError`. Throws `RemoteError` where the state cannot be had.
 *
 * @param first - what the first run threw, where there was one
 */
export async function refetch<T>(
  fetcher: StateFetcher,
  run: () => T | Promise<T>,
  first: MissingStateError | null = null,
  longest: number = LONGEST_FETCHING,
): Promise<T> {
  let left = longest
  let last = ''
  for (let error = first; ; ) {
    if (error !== null) {
      const begun = performance.now()
      const name = nameMissing(error.missing)
      if (name === last) throw new Error(`${name} was fetched, and is not there`)
      last = name
      await fetchWithin(fetcher, [error.missing], left, longest)
      left -= performance.now() - begun
    }
    try {
      return await run()
    } catch (thrown) {
      if (!(thrown instanceof MissingStateError)) throw thrown
      error = thrown
    }
  }
}

/**
 * Fetches within a time.
 *
 * @param left - milliseconds
 * @param longest - the same, for the error's text
 */
export async function fetchWithin(
  fetcher: StateFetcher,
  missing: readonly Missing[],
  left = LONGEST_FETCHING,
  longest = left,
): Promise<void> {
  const work = fetcher.fetchMissing(missing)
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new RemoteError(
            `fetching the state of the remote chain takes longer than ${longest / 1000} s; what is known of it already is kept`,
          ),
        ),
      Math.max(0, left),
    )
  })
  try {
    await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
    work.catch(() => {})
  }
}

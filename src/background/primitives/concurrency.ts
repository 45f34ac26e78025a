/**
 * Runs `work` on each item, at most `limit` at a time, begun in their order. Once one fails no further one is begun, and
 * its error is thrown.
 */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // All workers share one iterator.
  const queue = items[Symbol.iterator]()
  let hasFailed = false
  await Promise.all(Array.from({ length: limit }, run))

  async function run(): Promise<void> {
    for (let next = queue.next(); !next.done && !hasFailed; next = queue.next()) {
      try {
        await work(next.value)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
}

/** What `work` makes of each item, in the order of the items; run like {@link forEachConcurrently}. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  await forEachConcurrently(items.entries(), limit, async ([at, item]) => {
    results[at] = await work(item)
  })
  return results
}

/** A map that forgets what has not been asked for in a long while. */
export interface RecentMap<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
  clear(): void
}

/** Keeps between `size` and twice as many entries: the younger half, and what of the older half was asked for again. */
export function createRecentMap<V>(size: number): RecentMap<V> {
  let young = new Map<string, V>()
  let old = new Map<string, V>()

  function set(key: string, value: V): void {
    young.set(key, value)
    if (young.size < size) return
    old = young
    young = new Map()
  }

  return {
    get(key) {
      const found = young.get(key)
      if (found !== undefined) return found
      const aged = old.get(key)
      if (aged !== undefined) set(key, aged)
      return aged
    },
    set,
    clear() {
      young = new Map()
      old = new Map()
    },
  }
}

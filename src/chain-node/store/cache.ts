/** Values that were asked for lately, up to a total size. */
export interface Cache<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): void
}

/**
 * Two generations: what is asked for is in the young one, and when that holds half of the capacity, it becomes the old one
 * and what was old is forgotten. Cheaper than an exact order of use, and bounded the same.
 *
 * @param capacity - in the unit of `sizeOf`
 */
export function createCache<K, V>(
  capacity: number,
  sizeOf: (value: V) => number = () => 1,
): Cache<K, V> {
  let young = new Map<K, V>()
  let old = new Map<K, V>()
  let size = 0

  function set(key: K, value: V): void {
    const replaced = young.get(key)
    if (replaced !== undefined) size -= sizeOf(replaced)
    young.set(key, value)
    size += sizeOf(value)
    if (size <= capacity / 2) return
    old = young
    young = new Map()
    size = 0
  }

  return {
    get(key) {
      const recent = young.get(key)
      if (recent !== undefined) return recent
      const value = old.get(key)
      if (value !== undefined) set(key, value)
      return value
    },
    set,
  }
}

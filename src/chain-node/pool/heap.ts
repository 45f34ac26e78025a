/** A binary heap: what `isBefore` puts first is on top. */
export interface Heap<T> {
  size(): number
  peek(): T | undefined
  push(item: T): void
  pop(): T | undefined
}

/** @param items - what it holds at the start; the array becomes the heap's own */
export function createHeap<T>(items: T[], isBefore: (a: T, b: T) => boolean): Heap<T> {
  const at = (index: number) => items[index] as T

  function rise(index: number): void {
    const item = at(index)
    let hole = index
    while (hole > 0) {
      const parent = (hole - 1) >> 1
      if (!isBefore(item, at(parent))) break
      items[hole] = at(parent)
      hole = parent
    }
    items[hole] = item
  }

  function sink(index: number): void {
    const item = at(index)
    let hole = index
    for (;;) {
      let child = 2 * hole + 1
      if (child >= items.length) break
      if (child + 1 < items.length && isBefore(at(child + 1), at(child))) child++
      if (!isBefore(at(child), item)) break
      items[hole] = at(child)
      hole = child
    }
    items[hole] = item
  }

  for (let index = (items.length >> 1) - 1; index >= 0; index--) sink(index)

  return {
    size: () => items.length,
    peek: () => items[0],
    push(item) {
      items.push(item)
      rise(items.length - 1)
    },
    pop() {
      const top = items[0]
      const last = items.pop()
      if (items.length > 0) {
        items[0] = last as T
        sink(0)
      }
      return top
    },
  }
}

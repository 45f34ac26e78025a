/** Numbers from a seed (mulberry32). */
export function createSeededRandom(seed: number) {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (n: number) => Math.floor(next() * n)
  return {
    below,
    chance: (p: number) => next() < p,
    pick: <T>(some: readonly T[]): T => some[below(some.length)] as T,
    bytes: (n: number) => Uint8Array.from({ length: n }, () => below(256)),
  }
}

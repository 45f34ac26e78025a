/** As many bytes as asked for that look random and follow from the seed (xorshift). */
export function noise(size: number, seed: number): Uint8Array {
  let state = (seed ^ 0x9e3779b9) | 1
  return Uint8Array.from({ length: size }, () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state & 0xff
  })
}

/** Three different places (from 0, ascending) out of `count`; `random` fills the array with random bytes. */
export function pickPlaces(
  count: number,
  random: (bytes: Uint8Array<ArrayBuffer>) => void,
): number[] {
  const places = Array.from({ length: count }, (_, index) => index)
  const bytes = new Uint8Array(3)
  random(bytes)
  // A byte modulo 12..24 leans a little to small places: harmless, this is a memory check and not a secret.
  const picked = [...bytes].flatMap(byte => places.splice(byte % places.length, 1))
  return picked.sort((a, b) => a - b)
}

/** Smallest units as decimal text, as tests count them: nothing of the wallet's own is used. */
export function inWhole(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** The other way round. */
export function inUnits(whole: string, decimals: number): bigint {
  const [before = '0', behind = ''] = whole.split('.')
  return BigInt(before + behind.padEnd(decimals, '0'))
}

/** `key units`, each key once and in order. */
export function sumUp(parts: readonly (readonly [string, bigint])[]): string[] {
  const sums = new Map<string, bigint>()
  for (const [key, units] of parts) sums.set(key, (sums.get(key) ?? 0n) + units)
  return [...sums].map(([key, units]) => `${key} ${units}`).sort()
}

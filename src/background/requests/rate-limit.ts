/** A bucket a caller: `burst` calls at once, refilled at `perSecond`. */
export function createRateLimit({
  burst,
  perSecond,
  now,
}: {
  burst: number
  perSecond: number
  now(): number
}) {
  const buckets = new Map<string, { tokens: number; at: number }>()

  /** Takes one call of this caller from its bucket; false when the bucket is empty. */
  return function take(caller: string): boolean {
    const at = now()
    const last = buckets.get(caller) ?? { tokens: burst, at }
    const tokens = Math.min(burst, last.tokens + ((at - last.at) / 1000) * perSecond)
    buckets.set(caller, { tokens: tokens >= 1 ? tokens - 1 : tokens, at })
    return tokens >= 1
  }
}

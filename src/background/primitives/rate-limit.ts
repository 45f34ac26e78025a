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

  /**
   * Takes what one call weighs from this caller's bucket, at most a full one. Resolves milliseconds until there is enough
   * in it: 0 where it was taken, else nothing was.
   */
  return function take(caller: string, weight = 1): number {
    const at = now()
    const last = buckets.get(caller) ?? { tokens: burst, at }
    // A clock that is set back takes nothing out of the bucket.
    const passed = Math.max(0, at - last.at)
    const tokens = Math.min(burst, last.tokens + (passed / 1000) * perSecond)
    const missing = Math.min(weight, burst) - tokens
    const isTaken = missing <= 0
    buckets.set(caller, { tokens: isTaken ? -missing : tokens, at })
    return isTaken ? 0 : Math.ceil((missing / perSecond) * 1000)
  }
}

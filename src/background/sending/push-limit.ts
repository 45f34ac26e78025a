import { rateLimited } from '../../provider/errors.ts'
import type { Clock } from '../primitives/clock.ts'
import { createRateLimit } from '../primitives/rate-limit.ts'

const ALL_SITES = ''

/**
 * How many transactions sites may have handed to the person's server, each of them and all together: a server that gets too
 * many refuses the person, too. What the person pays is not counted.
 */
export function createPushLimit({ now }: Clock) {
  const takeOfSite = createRateLimit({ burst: 100, perSecond: 0.5, now })
  const takeOfAll = createRateLimit({ burst: 200, perSecond: 1, now })

  return {
    /** To be called before anybody is asked. Throws -32005 that says when to come again. */
    take(origin: string, transactions: number): void {
      const waitMs = takeOfSite(origin, transactions) || takeOfAll(ALL_SITES, transactions)
      if (waitMs > 0) throw rateLimited(waitMs)
    },
  }
}

export type PushLimit = ReturnType<typeof createPushLimit>

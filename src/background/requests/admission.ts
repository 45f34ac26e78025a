import type { Request } from '../../provider/envelope.ts'
import { rateLimited, userRejected } from '../../provider/errors.ts'
import type { Clock } from '../primitives/clock.ts'
import { createRateLimit } from '../primitives/rate-limit.ts'
import type { BlockedSites } from './blocked-sites.ts'
import { measureParams } from './page-message.ts'
import type { Sites } from './sites.ts'

/** A call weighs one, and one more for each so many characters of its parameters. */
const LENGTH_A_TOKEN = 16_384

/** The parts of the wallet that tell which pages it listens to. */
export type AdmissionParts = Clock & {
  sites: Pick<Sites, 'isKnown'>
  blockedSites: Pick<BlockedSites, 'has'>
}

/**
 * What a page may ask for before anything that it says is looked at: so much at once, and so much in the long run. One that no
 * account has ever allowed has nothing to ask for but to be connected.
 */
export function createAdmission({ sites, blockedSites, now }: AdmissionParts) {
  const takeOfAny = createRateLimit({ burst: 2000, perSecond: 100, now })
  const takeOfAccepted = createRateLimit({ burst: 50, perSecond: 5, now })
  const takeOfStranger = createRateLimit({ burst: 200, perSecond: 20, now })

  /**
   * Throws -32602 for parameters of more than any operation takes, -32005, and 4001 for whatever a blocked site asks. What was
   * accepted before, and comes again by another connection, has a share of its own.
   */
  return async function admit(
    origin: string,
    { params, network }: Request,
    isAccepted: () => Promise<boolean>,
  ): Promise<void> {
    const said = network === undefined ? params : [...params, network]
    const weight = 1 + Math.floor(measureParams(said) / LENGTH_A_TOKEN)
    const assertTaken = async (waitMs: number) => {
      if (waitMs === 0 || ((await isAccepted()) && takeOfAccepted(origin, weight) === 0)) return
      throw rateLimited(waitMs)
    }
    await assertTaken(takeOfAny(origin, weight))
    if (await blockedSites.has(origin)) throw userRejected()
    if (!(await sites.isKnown(origin))) await assertTaken(takeOfStranger(origin, weight))
  }
}

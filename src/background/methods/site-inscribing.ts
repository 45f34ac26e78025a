import { listCommitAddresses } from '../../ordinals/inscriptions/inscribing.ts'
import type { MintResult } from '../../provider/inscribe-params.ts'
import { assertUnhindered } from '../brc20/brc20.ts'
import type { Brc20Parts } from '../brc20/brc20-parts.ts'
import { validateItems } from '../brc20/inscribe-validation.ts'
import type { InscribeContent } from '../inscribing/inscribe-items.ts'
import {
  type InscribePlan,
  type InscribePlanningParts,
  planInscribing,
} from '../inscribing/inscribe-plan.ts'
import { type OpeningParts, openJob } from '../inscribing/job-opening.ts'
import { type JobParts, runJob } from '../inscribing/job-run.ts'
import { decodeInscribing } from '../inscribing/stored-inscribing.ts'
import { digestOf } from '../primitives/digest.ts'
import type { Mutex } from '../primitives/mutex.ts'
import { approveBeforeSigning, askForDevice, type RequestContext } from '../requests/method.ts'
import type { StoredRequest } from '../requests/requests.ts'

/** Sats of each inscription's output: no less may be sent to any type of address. */
export const POSTAGE = 546n

/** The parts of the wallet that inscribe for a site. */
export type SiteInscribingParts = InscribePlanningParts &
  OpeningParts &
  JobParts &
  Brc20Parts & { planInTurn: Mutex }

/** A job that is signed and stored, and what the page is told once it is handed over. */
type SignedMint = { jobId: string; result: MintResult }

/**
 * Inscribes what a site asks for: planned, shown, approved, signed, stored, and only then broadcast. Throws BROADCAST_REJECTED
 * and BACKEND_UNAVAILABLE with the txids; the job is there then, and goes on or waits for the person.
 */
export async function inscribeForSite(
  context: RequestContext<SiteInscribingParts>,
  { items, feeRate }: { items: readonly InscribeContent[]; feeRate: number | null },
): Promise<MintResult> {
  const { wallet, key } = context
  // Nobody else's payment waits for this: it may take long.
  const validated = await context.once('judged', () => validateItems(context, items, null))
  const order = { items, postage: POSTAGE, feeRate, seed: key, delivery: null }
  // One plan at a time: the next one sees the coins of this one as reserved.
  const plan = await wallet.planInTurn(() =>
    context.once('plan', () => planInscribing(context, order, validated)),
  )
  return carryOutForSite(context, plan)
}

/** Asks for a plan that is in the journal, signs it, stores it as a job, and hands that over. Throws like {@link inscribeForSite}. */
export async function carryOutForSite(
  context: RequestContext<SiteInscribingParts>,
  plan: InscribePlan,
): Promise<MintResult> {
  const { wallet, network, origin, key } = context
  await approveBeforeSigning(context, plan.review)
  const device = askForDevice(context)
  const signed = await context.once<SignedMint>('signed', async () => {
    // The same request finds the same job, should this be where the worker dies.
    const jobId = digestOf({ key, plan })
    const effects = plan.review.items.flatMap(({ brc20 }) => brc20 ?? [])
    if (effects.length > 0 && !(await wallet.jobs.find(jobId)))
      await assertUnhindered(context, effects)
    const job = await openJob(context, plan, { id: jobId, origin, label: '' }, device)
    const inscribing = decodeInscribing(plan.inscribing)
    return {
      jobId,
      result: {
        commitTx: job.commitTxid,
        revealTxs: job.revealTxids,
        commitTxFee: Number(inscribing.commit.fee),
        revealTxFees: inscribing.reveals.map(({ fee }) => Number(fee)),
        commitAddrs: listCommitAddresses(inscribing, network),
        feeRate: inscribing.commit.feeRate,
        size: Number(inscribing.postage),
      },
    }
  })
  return handOver(wallet, signed)
}

/** The end of a site's request whose job is signed and stored: nothing could undo that. */
export function finishInscribing(
  wallet: JobParts,
  { signed }: StoredRequest['journal'],
): Promise<MintResult> | null {
  return signed ? handOver(wallet, signed as SignedMint) : null
}

async function handOver(wallet: JobParts, { jobId, result }: SignedMint): Promise<MintResult> {
  await runJob(wallet, jobId)
  return result
}

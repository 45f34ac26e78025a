import { failure } from '../../provider/errors.ts'
import { type MintConfirmationParts, openMint } from '../minting/mint-confirmation.ts'
import { planRuneMint } from '../minting/mint-plan.ts'
import { resumeMint } from '../minting/mint-run.ts'
import type { PlanningParts } from '../payments/payment-plan.ts'
import { digestOf } from '../primitives/digest.ts'
import { approveBeforeSigning, askAlways, askForDevice, type Method } from '../requests/method.ts'

/** The parts of the wallet that mint runes for a site. */
export type SiteMintingParts = PlanningParts & MintConfirmationParts

/** A job that is signed and stored, and what the page is told once it is handed over. */
type SignedMints = { jobId: string; txids: string[] }

/** Mints a rune, once or up to 24 times, with one question; resolves the txids, of which those are sent that are left. */
export const mintRune: Method<'mintRune', SiteMintingParts> = {
  access: 'connected',
  answer: askAlways,
  ask: async (context, { rune, count, feeRate }) => {
    const { wallet, key, origin } = context
    // One plan at a time: the next one sees the coins of this one as reserved.
    const plan = await wallet.planInTurn(() =>
      context.once('plan', () => planRuneMint(context, { rune, count, feeRate, seed: key })),
    )
    await approveBeforeSigning(context, plan.review)
    const device = askForDevice(context)
    const signed = await context.once<SignedMints>('signed', async () => {
      // The same request finds the same job, should this be where the worker dies.
      const jobId = digestOf({ key, plan })
      const known = await wallet.mints.find(jobId)
      const txids =
        known?.txids ?? (await openMint(context, plan, { id: jobId, origin, label: '' }, device))
      return { jobId, txids }
    })
    return handOver(wallet, signed)
  },
  finish: (wallet, { signed }) => (signed ? handOver(wallet, signed as SignedMints) : null),
}

/** Throws BROADCAST_REJECTED and BACKEND_UNAVAILABLE with the txids: the job goes on, or waits for the person. */
async function handOver(
  wallet: SiteMintingParts,
  { jobId, txids }: SignedMints,
): Promise<{ txids: string[] }> {
  await resumeMint(wallet, jobId)
  const { problem = null, stopped = null, seen = {} } = (await wallet.mints.find(jobId)) ?? {}
  const data = { txids }
  if (problem?.kind === 'refused') {
    throw failure('BROADCAST_REJECTED', `The network refused a mint: ${problem.detail}`, {
      data: { ...data, node: problem.detail },
    })
  }
  if (stopped !== null && Object.keys(seen).length === 0) {
    throw failure('BROADCAST_REJECTED', 'No mint is left of this rune: nothing was sent.', {
      data: { ...data, stopped },
    })
  }
  if (problem?.kind === 'unanswered') {
    throw failure(
      'BACKEND_UNAVAILABLE',
      'A server of the wallet did not answer. Mints may have been sent, and the others will be tried again: look for the transactions before you mint again.',
      { data },
    )
  }
  return { txids }
}

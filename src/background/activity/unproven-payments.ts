import type { Network } from '../../bitcoin/network.ts'
import type { ConfirmationProofs } from '../headers/confirmation-proofs.ts'
import type { Sources } from '../settings/servers.ts'
import type { ProofFault } from '../views/activity-views.ts'
import type { Activity } from './activity.ts'

/**
 * With the 15 requests for headers at the start, proofs take no more than 30 in all: two for each of these, or three where it is old.
 * What is proven is not asked again.
 */
const MOST_PAYMENTS = 5

export type UnprovenPaymentParts = Pick<Sources, 'chain'> & {
  activity: Pick<Activity, 'load'>
  confirmationProofs: Pick<ConfirmationProofs, 'proveEach'>
}

/** These are told in another place, or pass. */
const TOLD_ELSEWHERE: readonly ProofFault[] = ['chain', 'no-block']

/**
 * The newest payments to an account that are said to be in a block which does not show it, as txids. Throws BackendUnavailableError;
 * what was proven by then is kept.
 */
export async function listUnprovenPayments(
  wallet: UnprovenPaymentParts,
  network: Network,
  accountId: string,
): Promise<string[]> {
  const { ledger } = await wallet.activity.load(network, accountId)
  const payments = ledger.rows
    .flatMap(({ txid, kind, height }) =>
      kind === 'received' && height !== null ? { txid, height } : [],
    )
    .slice(0, MOST_PAYMENTS)
  if (payments.length === 0) return []
  const proofs = await wallet.confirmationProofs.proveEach(await wallet.chain(network), payments)
  return payments.flatMap(({ txid }, index) => {
    const proof = proofs[index]
    return proof?.is === 'unproven' && !TOLD_ELSEWHERE.includes(proof.fault) ? txid : []
  })
}

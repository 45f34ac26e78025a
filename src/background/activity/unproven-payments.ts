import type { Network } from '../../bitcoin/network.ts'
import type { ConfirmationProofs } from '../headers/confirmation-proofs.ts'
import type { Sources } from '../settings/servers.ts'
import type { ProofFault, UnprovenPayment } from '../views/activity-views.ts'
import type { Activity } from './activity.ts'

/**
 * With the 15 requests for headers at the start, proofs take no more than 30 in all: two for each of these, or three where it is old.
 * What is proven is not asked again; what is left is asked about the next time.
 */
const MOST_ASKED = 5

/** As far back as a false payment could be pushed by true ones that cost something each. */
const MOST_PAYMENTS = 50

export type UnprovenPaymentParts = Pick<Sources, 'chain'> & {
  activity: Pick<Activity, 'load'>
  confirmationProofs: Pick<ConfirmationProofs, 'proveEach'>
}

/** These are told in another place, or pass. */
const TOLD_ELSEWHERE: readonly ProofFault[] = ['chain', 'no-block']

/** The newest payments to an account that are said to be in a block which does not show it. */
export async function listUnprovenPayments(
  wallet: UnprovenPaymentParts,
  network: Network,
  accountId: string,
): Promise<UnprovenPayment[]> {
  const { ledger } = await wallet.activity.load(network, accountId)
  const payments = ledger.rows
    .flatMap(({ txid, kind, height }) =>
      kind === 'received' && height !== null ? { txid, height } : [],
    )
    .slice(0, MOST_PAYMENTS)
  if (payments.length === 0) return []
  const chain = await wallet.chain(network)
  const proofs = await wallet.confirmationProofs.proveEach(chain, payments, MOST_ASKED)
  return payments.flatMap(({ txid }, index) => {
    const proof = proofs[index]
    if (proof?.is !== 'unproven' || TOLD_ELSEWHERE.includes(proof.fault)) return []
    return { txid, fault: proof.fault }
  })
}

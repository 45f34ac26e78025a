import type { Network } from '../../bitcoin/network.ts'
import type { ConfirmationProofs } from '../headers/confirmation-proofs.ts'
import type { Sources } from '../settings/servers.ts'
import type { ConfirmationProof } from '../views/activity-views.ts'

/** Three requests each at most: the block that the server names, the transaction and its proof; one more where it is old. */
const MOST_ASKED = 5

/**
 * What is proven of the transactions that made some coins, in their order; null for those that are not asked about this time. One
 * that the server has in no block is no coin that it calls confirmed.
 */
export async function proveCoins(
  wallet: Pick<Sources, 'chain'> & {
    confirmationProofs: Pick<ConfirmationProofs, 'proveEach'>
  },
  network: Network,
  txids: readonly string[],
): Promise<(ConfirmationProof | null)[]> {
  if (txids.length === 0) return []
  const transactions = txids.map(txid => ({ txid }))
  return wallet.confirmationProofs.proveEach(await wallet.chain(network), transactions, MOST_ASKED)
}

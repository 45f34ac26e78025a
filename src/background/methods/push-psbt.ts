import { listUnproven } from '../../bitcoin/psbt/prevouts.ts'
import { completePsbt, parseCompletePsbt } from '../psbts/complete-psbt.ts'
import { createPush } from '../psbts/push.ts'
import { fetchKnownTransactions } from '../sending/known-transactions.ts'

/** Broadcasts the transaction of a signed PSBT, finalized where it is not. */
export const pushPsbt = createPush<'pushPsbt'>(async ({ wallet, network }, params) => {
  const psbt = parseCompletePsbt('psbt', params.psbt)
  const previous = await fetchKnownTransactions(wallet, network, listUnproven(psbt))
  return completePsbt('psbt', psbt, previous)
})

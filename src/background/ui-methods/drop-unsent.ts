import { invalidParams } from '../../provider/errors.ts'
import { listPendingParents } from '../sending/outgoing.ts'
import { parseTxid } from './read-txid.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const dropUnsent: UiMethod<'dropUnsent'> = async ({ wallet }, params) => {
  const { network } = await loadSelected(wallet)
  const txid = parseTxid(params.txid)
  const parents = await listPendingParents(wallet, network)
  if (parents.get(txid)?.status !== 'unsent')
    throw invalidParams('txid', txid, 'a transaction that is kept back')
  await wallet.activity.setStatus(txid, 'failed')
  return null
}

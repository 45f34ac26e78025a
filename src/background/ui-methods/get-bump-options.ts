import { listBumpOptions } from '../bumps.ts'
import { payFromSelected } from '../payment-context.ts'
import { readTxid } from './read-txid.ts'
import type { UiMethod } from './ui-context.ts'

export const getBumpOptions: UiMethod<'getBumpOptions'> = async ({ wallet }, { txid }) =>
  listBumpOptions(await payFromSelected(wallet), readTxid(txid))

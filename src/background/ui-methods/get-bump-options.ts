import { payFromSelected } from '../accounts/payment-context.ts'
import { listBumpOptions } from '../payments/bumps.ts'
import { parseTxid } from './read-txid.ts'
import type { UiMethod } from './ui-context.ts'

export const getBumpOptions: UiMethod<'getBumpOptions'> = async ({ wallet }, { txid }) =>
  listBumpOptions(await payFromSelected(wallet), parseTxid(txid))

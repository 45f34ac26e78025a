import { parseLabel } from '../activity/labels.ts'
import { parseTxid } from './read-txid.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const setLabel: UiMethod<'setLabel'> = async ({ wallet }, { txid, label }) => {
  const { network } = await loadSelected(wallet)
  await wallet.activity.setLabel(network, parseTxid(txid), parseLabel(label))
  return null
}

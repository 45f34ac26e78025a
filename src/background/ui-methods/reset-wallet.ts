import { invalidParams, userRejected } from '../../provider/errors.ts'
import type { UiMethod } from './ui-context.ts'

/** Everything goes, a damaged wallet too; what sites wait for ends as rejected. */
export const resetWallet: UiMethod<'resetWallet'> = async ({ wallet }, { confirmation }) => {
  if (confirmation !== 'erase') throw invalidParams('confirmation', confirmation, 'the word erase')
  await wallet.approvals.settle(() => true, userRejected())
  // Storage is about to forget which window it is.
  await wallet.approvals.close()
  await wallet.requests.clear()
  wallet.activity.clear()
  await wallet.coinAssets.forgetAnswers()
  await wallet.okxAlias.forget()
  await wallet.vault.erase()
  wallet.announce()
  return null
}

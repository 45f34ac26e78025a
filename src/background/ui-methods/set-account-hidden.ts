import { checkText } from './params.ts'
import type { UiMethod } from './ui-context.ts'

/** Requests that wait for an account that is hidden while in use end with 4100. */
export const setAccountHidden: UiMethod<'setAccountHidden'> = async (
  { wallet },
  { accountId, hidden },
) => {
  await wallet.accounts.setHidden(checkText('accountId', accountId), hidden === true)
  wallet.announce()
  return null
}

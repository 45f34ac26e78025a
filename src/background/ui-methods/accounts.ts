import { checkText } from './params.ts'
import type { UiMethod } from './ui-context.ts'

export const removeAccount: UiMethod<'removeAccount'> = async ({ wallet }, { accountId }) => {
  const id = checkText('accountId', accountId)
  await wallet.accounts.remove(id)
  await wallet.sites.revokeAccount(id)
  await wallet.activity.forgetAccount(id)
  await wallet.coinChoices.forgetAccount(id)
  await wallet.coinAssets.forgetAccount(id)
  await wallet.openSignatures.forgetAccount(id)
  await wallet.jobs.forgetAccount(id)
  await wallet.brc20Tickers.forgetAccount(id)
  wallet.announce()
  return null
}

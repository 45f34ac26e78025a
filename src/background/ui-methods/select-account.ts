import type { UiMethod } from './ui-context.ts'

/** Requests that wait for another account end with 4100. */
export const selectAccount: UiMethod<'selectAccount'> = async ({ wallet }, { accountId }) => {
  await wallet.accounts.select(accountId)
  wallet.announce()
  return null
}

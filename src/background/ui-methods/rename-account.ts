import { checkText } from './params.ts'
import type { UiMethod } from './ui-context.ts'

export const renameAccount: UiMethod<'renameAccount'> = async ({ wallet }, { accountId, name }) => {
  await wallet.accounts.rename(checkText('accountId', accountId), name)
  return null
}

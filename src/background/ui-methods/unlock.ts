import { checkText } from './params.ts'
import type { UiMethod } from './ui-context.ts'

export const unlock: UiMethod<'unlock'> = async ({ wallet }, { password }) => {
  const result = await wallet.accounts.unlock(checkText('password', password))
  if (result.unlocked) {
    await wallet.approvals.releaseUnlocked()
    wallet.announce()
  }
  return result
}

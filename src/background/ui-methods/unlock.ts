import type { UiMethod } from './ui-context.ts'

export const unlock: UiMethod<'unlock'> = async ({ wallet }, { password }) => {
  const result = await wallet.accounts.unlock(password)
  if (result.unlocked) {
    await wallet.approvals.releaseUnlocked()
    wallet.announce()
  }
  return result
}

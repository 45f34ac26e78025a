import type { UiMethod } from './ui-context.ts'

export const lock: UiMethod<'lock'> = async ({ wallet }) => {
  await wallet.accounts.lock()
  return null
}

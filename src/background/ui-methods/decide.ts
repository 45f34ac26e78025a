import { unauthorized } from '../../provider/errors.ts'
import type { UiMethod } from './ui-context.ts'

export const decide: UiMethod<'decide'> = async ({ wallet }, { key, decision, digest, input }) => {
  if (decision !== 'approve') {
    await wallet.approvals.reject(key)
    return null
  }
  await wallet.approvals.approve({ key, digest, input }, async () => {
    if ((await wallet.vault.status()) !== 'unlocked') throw unauthorized('The wallet is locked.')
    await wallet.vault.touch()
  })
  return null
}

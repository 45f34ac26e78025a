import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const forgetSeenAssets: UiMethod<'forgetSeenAssets'> = async ({ wallet }) => {
  const { network, account } = await loadSelected(wallet)
  await wallet.coinAssets.forgetSeen(network, account.id)
  return null
}

import { checkText } from './params.ts'
import type { UiMethod } from './ui-context.ts'

export const revealKey: UiMethod<'revealKey'> = async ({ wallet }, { password, accountId }) =>
  wallet.signer.revealKey({
    password: checkText('password', password),
    accountId: checkText('accountId', accountId),
    network: await wallet.accounts.network(),
  })

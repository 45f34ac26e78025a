import { checkText } from './params.ts'
import type { UiMethod } from './ui-context.ts'

export const revealPhrase: UiMethod<'revealPhrase'> = async ({ wallet }, { password }) =>
  wallet.signer.revealPhrase(checkText('password', password))

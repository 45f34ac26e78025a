import { checkNewPassword, checkText } from './params.ts'
import type { UiMethod } from './ui-context.ts'

export const changePassword: UiMethod<'changePassword'> = async ({ wallet }, { current, next }) =>
  wallet.vault.changePassword(checkText('current', current), checkNewPassword('next', next))

import { checkAddressType, checkText } from './params.ts'
import type { UiMethod } from './ui-context.ts'

export const addAccount: UiMethod<'addAccount'> = async ({ wallet }, { addressType, name }) =>
  wallet.accounts.add(checkAddressType(addressType), checkText('name', name))

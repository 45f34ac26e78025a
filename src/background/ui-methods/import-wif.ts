import { checkAddressType, checkText } from './params.ts'
import type { UiMethod } from './ui-context.ts'

export const importWif: UiMethod<'importWif'> = async ({ wallet }, { wif, addressType, name }) =>
  wallet.accounts.importWif({
    wif: checkText('wif', wif),
    addressType: checkAddressType(addressType),
    name: checkText('name', name),
  })

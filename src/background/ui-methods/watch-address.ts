import { InvalidAddressError } from '../../bitcoin/address.ts'
import { invalidParams } from '../../provider/errors.ts'
import { checkText } from './params.ts'
import type { UiMethod } from './ui-context.ts'

export const watchAddress: UiMethod<'watchAddress'> = async ({ wallet }, { address, name }) => {
  const text = checkText('address', address).trim()
  try {
    return await wallet.accounts.watch({ address: text, name: checkText('name', name) })
  } catch (error) {
    if (!(error instanceof InvalidAddressError)) throw error
    throw invalidParams('address', text, 'an address of the network in use')
  }
}

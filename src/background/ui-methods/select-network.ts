import { isNetwork } from '../../bitcoin/network.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { UiMethod } from './ui-context.ts'

/** Requests that wait for another network end with 4100. */
export const selectNetwork: UiMethod<'selectNetwork'> = async ({ wallet }, { network }) => {
  if (!isNetwork(network)) throw invalidParams('network', network, 'a network')
  await wallet.accounts.selectNetwork(network)
  wallet.announce()
  return null
}

import { isNetwork } from '../../bitcoin/network.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { UiMethod } from './ui-context.ts'

export const getServers: UiMethod<'getServers'> = async ({ wallet }, { network }) => {
  if (!isNetwork(network)) throw invalidParams('network', network, 'a network')
  return wallet.servers.list(network)
}

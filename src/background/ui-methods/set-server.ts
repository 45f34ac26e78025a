import { isNetwork } from '../../bitcoin/network.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { UiMethod } from './ui-context.ts'

export const setServer: UiMethod<'setServer'> = async ({ wallet }, { network, esploraUrl }) => {
  if (!isNetwork(network)) throw invalidParams('network', network, 'a network')
  if (typeof esploraUrl !== 'string') throw invalidParams('esploraUrl', esploraUrl, 'an address')
  await wallet.servers.setEsplora(network, esploraUrl)
  return null
}

import { isNetwork, type Network } from '../../bitcoin/network.ts'
import { invalidParams } from '../../provider/errors.ts'
import { readString } from '../../provider/params.ts'
import { isServerKind } from '../servers.ts'
import type { ServerKind } from './settings-views.ts'
import type { UiMethod } from './ui-context.ts'

export const setServer: UiMethod<'setServer'> = async ({ wallet }, params) => {
  const { network, kind, url } = readServerParams(params)
  await wallet.servers.set(network, kind, url)
  if (kind === 'assets' || kind === 'secondAssets') await wallet.coinAssets.forgetAnswers()
  wallet.announce()
  return null
}

export function readServerParams(params: { network: unknown; kind: unknown; url: unknown }): {
  network: Network
  kind: ServerKind
  url: string
} {
  const { network, kind } = params
  if (!isNetwork(network)) throw invalidParams('network', network, 'a network')
  if (!isServerKind(kind)) throw invalidParams('kind', kind, 'a kind of server')
  return { network, kind, url: readString('url', params.url, 500) }
}

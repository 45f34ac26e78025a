import { isNetwork, type Network } from '../../bitcoin/network.ts'
import { invalidParams, ProviderError } from '../../provider/errors.ts'
import { parseString } from '../../provider/params.ts'
import { isServerKind } from '../settings/servers.ts'
import type { ServerKind } from '../views/settings-views.ts'
import type { UiMethod } from './ui-context.ts'

export const setServer: UiMethod<'setServer'> = async ({ wallet }, params) => {
  const { network, kind, url, key } = parseServerParams(params)
  await wallet.servers.set(network, kind, url, key)
  if (TELL_OF_COINS.includes(kind)) await wallet.coinAssets.forgetAnswers()
  wallet.announce()
  return null
}

const TELL_OF_COINS: readonly ServerKind[] = ['assets', 'secondAssets', 'atomicals']

/** A key is null where none was said. */
export function parseServerParams(params: {
  network: unknown
  kind: unknown
  url: unknown
  key?: unknown
}): {
  network: Network
  kind: ServerKind
  url: string
  key: string | null
} {
  const { network, kind } = params
  if (!isNetwork(network)) throw invalidParams('network', network, 'a network')
  if (!isServerKind(kind)) throw invalidParams('kind', kind, 'a kind of server')
  return { network, kind, url: parseString('url', params.url, 500), key: readKey(params.key) }
}

/** Whatever a header can hold; the key itself is in no error. */
function readKey(value: unknown): string | null {
  if (value === undefined || value === null) return null
  const key = typeof value === 'string' ? value.trim() : null
  if (key !== null && /^[\x21-\x7e]{0,500}$/.test(key)) return key
  throw new ProviderError(-32602, 'key: expected at most 500 letters, digits and signs')
}

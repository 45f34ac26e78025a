import { parseServerParams } from './set-server.ts'
import type { UiMethod } from './ui-context.ts'

export const checkServer: UiMethod<'checkServer'> = async ({ wallet }, params) => {
  const { network, kind, url, key } = parseServerParams(params)
  return wallet.servers.check(network, kind, url, key)
}

import { parseOptions } from '../../provider/params.ts'
import { describeNetwork, parseNetworkName } from './networks.ts'
import type { SatsConnectRequest } from './request.ts'

export const walletGetNetwork: SatsConnectRequest = async ({ call }) =>
  describeNetwork(await call('getNetwork'))

export const walletChangeNetwork: SatsConnectRequest = async ({ call }, params) => {
  const { name } = parseOptions('params', params)
  await call('switchNetwork', parseNetworkName('name', name))
  return null
}

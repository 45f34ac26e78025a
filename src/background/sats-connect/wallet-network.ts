import { readOptions } from '../../provider/params.ts'
import { describeNetwork, readNetworkName } from './networks.ts'
import type { SatsConnectRequest } from './request.ts'

export const walletGetNetwork: SatsConnectRequest = async ({ call }) =>
  describeNetwork(await call('getNetwork'))

export const walletChangeNetwork: SatsConnectRequest = async ({ call }, params) => {
  const { name } = readOptions('params', params)
  await call('switchNetwork', readNetworkName('name', name))
  return null
}

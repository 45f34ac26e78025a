import type { AccountInfo } from '../../provider/envelope.ts'
import { isGiven, readList, readOptions } from '../../provider/params.ts'
import { describeAddresses, PURPOSES, readPurposes } from './addresses.ts'
import { readReason } from './get-addresses.ts'
import { describeNetwork, readNetworkName } from './networks.ts'
import type { Call, SatsConnectRequest } from './request.ts'

const MAX_REASON = 80
const MAX_PERMISSIONS = 100

/** Connects, and changes the network where the page wants another than the one in use. */
export const walletConnect: SatsConnectRequest = async ({ call }, params) => {
  const { addresses, message, network, permissions } = readOptions('params', params)
  const purposes = isGiven(addresses) ? readPurposes('addresses', addresses) : PURPOSES
  readReason('message', message, MAX_REASON)
  readList('permissions', permissions, MAX_PERMISSIONS)
  const wanted = isGiven(network) ? readNetworkName('network', network) : null
  const account = await call('connect')
  if (wanted === null) return describeAccount(call, account, purposes)
  await call('switchNetwork', wanted)
  return describeAccount(call, await call('connect'), purposes)
}

/** Never asks: 4100 where the page is not connected. */
export const walletGetAccount: SatsConnectRequest = async ({ call }) => {
  const publicKey = await call('getPublicKey')
  const [address = ''] = await call('getAccounts')
  const account = { address, publicKey, compressedPublicKey: publicKey }
  return describeAccount(call, account, PURPOSES)
}

/** The keys are in this extension. */
export const walletGetWalletType: SatsConnectRequest = async () => 'software'

async function describeAccount(
  call: Call,
  account: AccountInfo,
  purposes: Parameters<typeof describeAddresses>[1],
) {
  return {
    id: account.address,
    addresses: describeAddresses(account, purposes),
    walletType: 'software',
    network: describeNetwork(await call('getNetwork')),
  }
}

import type { AccountInfo } from '../../provider/envelope.ts'
import { isGiven, parseList, parseOptions } from '../../provider/params.ts'
import type { Call } from '../requests/translation.ts'
import { describeAddresses, PURPOSES, parsePurposes } from './addresses.ts'
import { parseReason } from './get-addresses.ts'
import { describeNetwork, parseNetworkName } from './networks.ts'
import { MAX_PERMISSIONS } from './permissions.ts'
import type { SatsConnectRequest } from './request.ts'

const MAX_REASON = 80

/** Connects, and changes the network where the page wants another than the one in use. */
export const walletConnect: SatsConnectRequest = async ({ call }, params) => {
  const { addresses, message, network, permissions } = parseOptions('params', params)
  const purposes = isGiven(addresses) ? parsePurposes('addresses', addresses) : PURPOSES
  parseReason('message', message, MAX_REASON)
  parseList('permissions', permissions, MAX_PERMISSIONS)
  const wanted = isGiven(network) ? parseNetworkName('network', network) : null
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

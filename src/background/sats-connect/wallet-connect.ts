import { isGiven, parseList, parseOptions } from '../../provider/params.ts'
import { describeAccount, nameNetwork } from '../requests/pages.ts'
import type { TranslationContext } from '../requests/translation.ts'
import { type AddressPurpose, describeAddresses, PURPOSES, parsePurposes } from './addresses.ts'
import { parseReason } from './get-addresses.ts'
import { describeNetwork, parseNetworkName } from './networks.ts'
import { MAX_PERMISSIONS } from './permissions.ts'
import type { SatsConnectRequest } from './request.ts'

const MAX_REASON = 80

/** Connects, and changes the network where the page wants another than the one in use. */
export const walletConnect: SatsConnectRequest = async (context, params) => {
  const { addresses, message, network, permissions } = parseOptions('params', params)
  const purposes = isGiven(addresses) ? parsePurposes('addresses', addresses) : PURPOSES
  parseReason('message', message, MAX_REASON)
  parseList('permissions', permissions, MAX_PERMISSIONS)
  const wanted = isGiven(network) ? parseNetworkName('network', network) : null
  await context.call('connect')
  if (wanted !== null) {
    await context.call('switchNetwork', wanted)
    await context.call('connect')
  }
  return describeWallet(context, purposes)
}

/** Never asks: 4100 where the page is not connected. */
export const walletGetAccount: SatsConnectRequest = context => describeWallet(context, PURPOSES)

/** The keys are in this extension. */
export const walletGetWalletType: SatsConnectRequest = async () => 'software'

async function describeWallet(
  { readConnected }: TranslationContext,
  purposes: readonly AddressPurpose[],
) {
  const { account, network } = await readConnected()
  return {
    id: account.address,
    addresses: describeAddresses(describeAccount(account), purposes),
    walletType: 'software',
    network: describeNetwork(nameNetwork(network)),
  }
}

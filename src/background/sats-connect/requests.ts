import type { SatsConnectName } from '../../provider/sats-connect-names.ts'
import { getAccounts, getAddresses } from './get-addresses.ts'
import { getBalance } from './get-balance.ts'
import { getInfo } from './get-info.ts'
import { getInscriptions, sendInscriptions } from './inscriptions.ts'
import { estimateEtch, estimateMint, etchRunes, mintRunes } from './making-runes.ts'
import { getCurrentPermissions, renouncePermissions, requestPermissions } from './permissions.ts'
import type { SatsConnectRequest } from './request.ts'
import { getRunesBalance, transferRunes } from './runes.ts'
import { sendTransfer } from './send-transfer.ts'
import { signMessage, signMultipleMessages } from './sign-message.ts'
import { signPsbt } from './sign-psbt.ts'
import { walletConnect, walletGetAccount, walletGetWalletType } from './wallet-connect.ts'
import { walletChangeNetwork, walletGetNetwork } from './wallet-network.ts'

const requests: { [name in SatsConnectName]: SatsConnectRequest } = {
  getInfo,
  getAddresses,
  getAccounts,
  getBalance,
  signMessage,
  signMultipleMessages,
  signPsbt,
  sendTransfer,
  wallet_connect: walletConnect,
  wallet_disconnect: renouncePermissions,
  wallet_getAccount: walletGetAccount,
  wallet_getNetwork: walletGetNetwork,
  wallet_changeNetwork: walletChangeNetwork,
  wallet_getWalletType: walletGetWalletType,
  wallet_requestPermissions: requestPermissions,
  wallet_getCurrentPermissions: getCurrentPermissions,
  wallet_renouncePermissions: renouncePermissions,
  ord_getInscriptions: getInscriptions,
  ord_sendInscriptions: sendInscriptions,
  runes_getBalance: getRunesBalance,
  runes_transfer: transferRunes,
  runes_mint: mintRunes,
  runes_etch: etchRunes,
  runes_estimateMint: estimateMint,
  runes_estimateEtch: estimateEtch,
}

/** Null for a name that the wallet does not know. */
export function findRequest(name: string): SatsConnectRequest | null {
  return Object.hasOwn(requests, name) ? requests[name as SatsConnectName] : null
}

import type { MethodTable } from '../requests/method.ts'
import { connect, requestAccounts } from './connect.ts'
import { disconnect } from './disconnect.ts'
import { getAccounts } from './get-accounts.ts'
import { getBalance } from './get-balance.ts'
import { getInscriptions } from './get-inscriptions.ts'
import { getNetwork } from './get-network.ts'
import { getPublicKey } from './get-public-key.ts'
import { inscribe } from './inscribe.ts'
import { mint } from './mint.ts'
import { pushPsbt } from './push-psbt.ts'
import { pushTx } from './push-tx.ts'
import { send } from './send.ts'
import { sendBitcoin } from './send-bitcoin.ts'
import { sendInscription } from './send-inscription.ts'
import { sendPsbt } from './send-psbt.ts'
import { sendTransfer } from './send-transfer.ts'
import { signMessage } from './sign-message.ts'
import { signPsbt } from './sign-psbt.ts'
import { signPsbts } from './sign-psbts.ts'
import { splitUtxo } from './split-utxo.ts'
import { switchNetwork } from './switch-network.ts'
import { transferNft } from './transfer-nft.ts'

/** One file an operation. */
export const methods: MethodTable = {
  connect,
  requestAccounts,
  getAccounts,
  getNetwork,
  getPublicKey,
  getBalance,
  getInscriptions,
  sendBitcoin,
  send,
  sendInscription,
  transferNft,
  signMessage,
  pushTx,
  splitUtxo,
  inscribe,
  mint,
  pushPsbt,
  sendPsbt,
  signPsbt,
  signPsbts,
  disconnect,
  switchNetwork,
  sendTransfer,
}

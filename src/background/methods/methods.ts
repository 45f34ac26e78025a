// methods: The operations that pages can call, one file each: what needs a person, what is shown, what is signed.
// It promises that each can run again from its start after the worker died; it never looks at who asks beyond the
// context that `requests` hands in.

import type { ProofParts } from '../collectibles/inscription-proofs.ts'
import type { InscriptionListParts } from '../collectibles/inscriptions.ts'
import type { Signer } from '../keys/signer.ts'
import type { PsbtSigningParts } from '../psbts/psbt-signing.ts'
import type { PushParts } from '../psbts/push.ts'
import type { MethodTable } from '../requests/method.ts'
import type { WithholdingParts } from '../sending/outgoing.ts'
import { getAccounts, getNetwork, getPublicKey } from './account.ts'
import { connect, requestAccounts } from './connecting/connect.ts'
import type { ConnectParts } from './connecting/connect-chosen.ts'
import { deriveContextHash } from './derive-context-hash.ts'
import { type DisconnectParts, disconnect } from './disconnect.ts'
import { estimateEtchRune, estimateMintRune } from './estimate-runes.ts'
import { etchRune } from './etch-rune.ts'
import { getBalance } from './get-balance.ts'
import { getInscriptions } from './get-inscriptions.ts'
import { getRunes } from './get-runes.ts'
import { inscribe } from './inscribe.ts'
import { mint } from './mint.ts'
import { mintRune, type SiteMintingParts } from './mint-rune.ts'
import { pushPsbt } from './push-psbt.ts'
import { pushTx } from './push-tx.ts'
import { send } from './send.ts'
import { sendBitcoin } from './send-bitcoin.ts'
import { sendInscription } from './send-inscription.ts'
import { sendPsbt } from './send-psbt.ts'
import { sendRunes } from './send-runes.ts'
import { sendTransfer } from './send-transfer.ts'
import { type MessageParts, signMessage } from './sign-message.ts'
import { signMessages } from './sign-messages.ts'
import { signPsbt } from './sign-psbt.ts'
import { signPsbts } from './sign-psbts.ts'
import type { SiteInscribingParts } from './site-inscribing.ts'
import type { SitePaymentParts } from './site-payment.ts'
import { splitUtxo } from './split-utxo.ts'
import { type SwitchParts, switchNetwork } from './switch-network.ts'
import { transferNft } from './transfer-nft.ts'

/** The parts of the wallet that its operations work with, each with its own few. */
export type MethodParts = ConnectParts &
  DisconnectParts &
  SwitchParts &
  InscriptionListParts &
  SitePaymentParts &
  WithholdingParts &
  ProofParts &
  PsbtSigningParts &
  PushParts &
  SiteInscribingParts &
  SiteMintingParts &
  MessageParts & { signer: Pick<Signer, 'deriveContextHash'> }

/** One file an operation. */
export const methods: MethodTable<MethodParts> = {
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
  deriveContextHash,
  signMessages,
  getRunes,
  sendRunes,
  mintRune,
  etchRune,
  estimateMintRune,
  estimateEtchRune,
}

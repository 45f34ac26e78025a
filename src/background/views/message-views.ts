import type { MessageType } from '../../bitcoin/messages/message.ts'
import type {
  InconclusiveReason,
  InvalidReason,
  MessageFormat,
  MessageLock,
} from '../../bitcoin/messages/message-verdict.ts'

/** A signature of a text as somebody hands it over. */
export type MessageProofDraft = { message: string; signature: string; address: string }

/** BIP-322's three answers. */
export type MessageVerdictView =
  | { state: 'valid'; format: MessageFormat; lock: MessageLock; coins: ProvenCoinView[] }
  | { state: 'invalid'; format: MessageFormat | null; reason: InvalidReason }
  | { state: 'inconclusive'; format: MessageFormat | null; reason: InconclusiveReason }

/** What a proof of funds says of a coin; `address` is null for a script that has none. `sequence` is BIP-68's. */
export type ProvenCoinView = {
  outpoint: string
  sats: string
  address: string | null
  sequence: number
}

/**
 * What the chain says of such a coin. `different`: its transaction has another amount or script there, or no such output. `missing`: the
 * server knows no such transaction. `height` is null for one that is in no block.
 */
export type CoinCheckView = { outpoint: string } & (
  | { state: 'unspent'; height: number | null }
  | { state: 'spent'; spender: string }
  | { state: 'missing' | 'different' }
)

/** A text to be signed by one of an account's addresses. */
export type TextToSign = {
  accountId: string
  address: string
  message: string
  type: Exclude<MessageType, 'bip322-simple'>
}

export type MessageMethods = {
  /** Whether a text was signed for an address of the network in use. Asks no server. */
  verifyMessage(params: MessageProofDraft): MessageVerdictView
  /**
   * Looks the coins of a valid proof of funds up: the amount and script of each in the transaction that hashes to its txid, and, by the
   * server's word, whether it is in a block and unspent.
   */
  checkProvenCoins(params: MessageProofDraft): CoinCheckView[]
  /** Signs a text that the person typed and was shown, with a key of the wallet. */
  signText(params: TextToSign): { signature: string }
}

import type { WireError } from './errors.ts'

/**
 * The JSON that a page, the content script and the background exchange. Between the last two, several messages may come as a
 * list.
 */

/**
 * Page to background. `id` is 128 random bits, made by the in-page script. `network`, as `getNetwork` has it, is there where
 * the call is for that network alone. A message without a method only asks for the connection (and so for the state).
 */
export type Request = { id: string; method: string; params: unknown[]; network?: string }

export type Response = { id: string; result: unknown } | { id: string; error: WireError }

/**
 * What a page may know now. `account` is null while the page is not connected to the account in use or the wallet
 * is locked; `network` is null for a page that no account has ever allowed.
 */
export type PageState = { account: AccountInfo | null; network: string | null }

/** Background to page: an answer, or the state as it is now for this page's origin. */
export type BackgroundMessage = Response | { state: PageState }

/** Address and 33-byte compressed public key (hex) of the account that the page is connected to. */
export type AccountInfo = {
  address: string
  publicKey: string
  compressedPublicKey: string
  /** The Taproot address of the account for what is more than sats, where it has one beside the other. */
  ordinals?: { address: string; publicKey: string }
}

/** Balance of the account in sats; `unconfirmed` may be negative. */
export type Balance = { confirmed: number; unconfirmed: number; total: number }

/** Events that pages can listen for. */
export type ProviderEvent =
  | 'accountChanged'
  | 'accountsChanged'
  | 'networkChanged'
  | 'connect'
  | 'disconnect'

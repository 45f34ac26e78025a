import type { AddressType } from '../../bitcoin/address.ts'
import type { PhraseKind } from '../../bitcoin/phrases/phrase-kind.ts'
import type {
  AccountView,
  DevicePairScan,
  PasswordResult,
  PhraseView,
  ReceiveAddress,
  ScanLine,
  ScanResult,
} from './account-views.ts'

/** The part of the wire of our own pages that is about the list of accounts and their addresses. */
export type AccountMethods = {
  selectAccount(params: { accountId: string }): null
  /**
   * One more recovery phrase, of BIP-39 unless told, with its first two accounts (a seed of Electrum: its one) as far as they are not
   * there yet; with an empty name the wallet chooses one. Throws PHRASE_EXISTS, TOO_MANY_PHRASES.
   */
  addPhrase(params: {
    mnemonic: string
    passphrase: string
    name: string
    phraseKind?: PhraseKind
  }): {
    phrase: PhraseView
    accounts: AccountView[]
  }
  /** An empty name takes the one away that it was given. */
  renamePhrase(params: { phraseId: string; name: string }): null
  /** Forgets a recovery phrase, its accounts, and all that is known of these. Throws JOBS_UNDER_WAY, LAST_ACCOUNT. */
  removePhrase(params: { phraseId: string; password: string }): PasswordResult<object>
  /**
   * The next account of this type from a recovery phrase (here and below that of the account in use unless named, or else the first);
   * with an empty name the wallet chooses one. `ordinals` adds a Taproot address for what is more than sats. A seed of Electrum has one
   * account, of one type. Throws ELECTRUM_PHRASE, as scanAddresses and addScanned do.
   */
  addAccount(params: {
    addressType: AddressType
    name: string
    ordinals?: boolean
    phraseId?: string
  }): AccountView
  importWif(params: { wif: string; addressType: AddressType; name: string }): AccountView
  /**
   * An account whose key is on a device, or that several signers share: a descriptor (BIP-380) of extended public keys of the network in
   * use. `ordinals`, where the key is a SegWit one, is that of the Taproot key of the same device and account number.
   */
  addDevice(params: { descriptor: string; ordinals?: string; name: string }): AccountView
  watchAddress(params: { address: string; name: string }): AccountView
  /** An empty name takes the one away that it was given. */
  renameAccount(params: { accountId: string; name: string }): null
  /** Whether the account has a fresh address for each payment. Throws ONE_ADDRESS_ONLY, ACCOUNT_EXISTS. */
  setManyAddresses(params: { accountId: string; on: boolean }): null
  /** Whether the account has a Taproot address for ordinals beside its own; once it has, connected sites ask again. Throws NO_ORDINALS_ADDRESS, ACCOUNT_EXISTS. */
  setOrdinalsAddress(params: { accountId: string; on: boolean }): null
  /**
   * Makes a Taproot account of the phrase the ordinals address of the SegWit account of the same place, with all that is known of both.
   * Sites that were not connected to both ask again. An empty name is for one that nobody names. Throws NO_ORDINALS_ADDRESS for accounts that are no such pair.
   */
  joinAccounts(params: { accountId: string; ordinalsId: string; name: string }): null
  /** The address of the account in use to give out; a further one where it is that of the index `after`, so that asking twice goes on once. */
  getReceiveAddress(params: { after: number | null }): ReceiveAddress
  setAccountHidden(params: { accountId: string; hidden: boolean }): null
  /** Forgets an account, its grants and its labels. The last one that can sign stays. Throws JOBS_UNDER_WAY, LAST_ACCOUNT. */
  removeAccount(params: { accountId: string }): null
  /** Asks the server which of `count` addresses from index `from` on were ever used; nothing is stored. */
  scanAddresses(params: {
    addressType: AddressType
    line: ScanLine
    from: number
    count: number
    phraseId?: string
  }): ScanResult
  /** Asks the server whether two keys of a device, by their descriptors, were used as one account's, before they become one. */
  scanDevicePair(params: { descriptor: string; ordinals: string }): DevicePairScan
  /** Adds accounts that a scan found; existing ones stay as they are. */
  addScanned(params: {
    found: { addressType: AddressType; line: ScanLine; index: number }[]
    phraseId?: string
  }): AccountView[]
}

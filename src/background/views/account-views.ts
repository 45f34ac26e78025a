import type { AddressType } from '../../bitcoin/address.ts'
import type { DerivationLine } from '../../bitcoin/derivation.ts'
import type { MultisigType } from '../../bitcoin/multisig-type.ts'
import type { PhraseKind } from '../../bitcoin/phrases/phrase-kind.ts'

/** Of what a name is that nobody gave. */
export type UnnamedKind = 'account' | 'wallet'

/** What an account or a wallet is called: by the person, or by its number alone, which a screen says in its language. */
export type GivenName = string | UnnamedName

export type UnnamedName = { unnamed: UnnamedKind; number: number }

/** One address with its key, addresses that several keys open, or an address that is only watched. */
export type AccountView = SigningAccountView | MultisigAccountView | WatchedAccountView

/** An account that pays: what signs for it are one key or several. */
export type PayingAccountView = SigningAccountView | MultisigAccountView

/** An account that pays and signs: its key is in the wallet, or on a device. */
export type SigningAccountView = KeyAccountView | DeviceAccountView

type AccountWithKey = {
  id: string
  name: GivenName
  addressType: AddressType
  address: string
  /** 33 bytes in hex. */
  publicKey: string
  /** Of all its addresses (BIP-380), of which `address` is the first; null for an account of one. */
  descriptor: string | null
  /** The Taproot address for inscriptions, runes and the like; null where `address` is for everything. */
  ordinals: OrdinalsAddress | null
  /** Hidden accounts are left out of lists; their grants and coins stay. */
  hidden: boolean
}

/** Its public key has 33 bytes in hex. */
export type OrdinalsAddress = { address: string; publicKey: string; derivationPath: string }

/** One of the recovery phrases, which with its accounts is a wallet of its own. */
export type PhraseView = { id: string; name: GivenName; kind: PhraseKind }

/** The wallet has the key: derived from a recovery phrase, or imported. */
export type KeyAccountView = AccountWithKey & {
  source: 'seed' | 'key'
  /** Null for an imported key, as the id of its phrase is. */
  derivationPath: string | null
  phraseId: string | null
}

/** The key is on a device or in another wallet, which is handed PSBTs. */
export type DeviceAccountView = AccountWithKey & {
  source: 'device'
  /** From the master key of the device. */
  derivationPath: string
  /** Of that master key, 8 hex digits. */
  fingerprint: string
  /** Of its Taproot key that is or can be for ordinals; null where the device told none. */
  ordinalsDescriptor: string | null
}

/** Some of several keys sign, each elsewhere: PSBTs go from one signer to the next. No site is ever connected to it. */
export type MultisigAccountView = {
  id: string
  name: GivenName
  source: 'multisig'
  /** No single key has its addresses. */
  addressType: null
  /** What opens its coins. */
  spendType: MultisigType
  /** Its first address, and the script of that in hex. */
  address: string
  scriptPubKey: string
  publicKey: null
  ordinals: null
  /** Of all its addresses. */
  descriptor: string
  /** In the order of the descriptor. */
  signers: CosignerView[]
  derivationPath: null
  hidden: boolean
}

/** One of several signers: the fingerprint of its master key, 8 hex digits, and the path from there. */
export type CosignerView = { fingerprint: string; path: string }

/** An address without a key: it is shown, but never connected to a site and never pays. */
export type WatchedAccountView = {
  id: string
  name: GivenName
  source: 'watch'
  /** Null for a script that none of our own accounts can have, such as P2WSH. */
  addressType: AddressType | null
  address: string
  publicKey: null
  descriptor: null
  ordinals: null
  derivationPath: null
  hidden: boolean
}

/** An address to give out. */
export type ReceiveAddress = {
  address: string
  /** Which of its account's addresses it is, from 0; null where there is one for everything. */
  index: number | null
  /** Whether a further one can be had: not after as many unused ones in a row as wallets look through. */
  hasNext: boolean
}

export type MnemonicCheck =
  /** Whose words they can be: one in some 250 texts is a phrase of BIP-39 and a seed of Electrum as well. */
  | { valid: true; kinds: PhraseKind[] }
  | {
      valid: false
      problem: 'WORD_COUNT' | 'UNKNOWN_WORD' | 'CHECKSUM'
      unknownWords: UnknownWord[]
      wordCount: number
      /** Whether the words are a seed of Electrum with two factors, which needs a second signer. */
      isTwoFactor: boolean
    }

/** A word that is not in BIP-39's list, its place in the phrase, from 0, and up to three that it may stand for. */
export type UnknownWord = { word: string; place: number; nearest: string[] }

/** Which addresses a private key in wallet import format has on a network. */
export type WifCheck =
  | { valid: true; addresses: { addressType: AddressType; address: string }[] }
  | { valid: false; problem: 'MALFORMED' | 'WRONG_NETWORK' | 'UNCOMPRESSED' }

export type UnlockResult =
  | { unlocked: true }
  | { unlocked: false; reason: 'WRONG_PASSWORD' | 'TOO_SOON' | 'DAMAGED'; retryAfterMs: number }

/**
 * The passkey (WebAuthn) that opens the wallet beside the password: what a page asks the browser for it with, in hex, and when it was
 * set up. Nothing of it is secret.
 */
export type PasskeyView = { credentialId: string; salt: string; createdAt: number }

/** `WRONG_PASSKEY`: it opens nothing that is stored, as it is another one, or was removed meanwhile. */
export type PasskeyUnlockResult =
  | { unlocked: true }
  | { unlocked: false; reason: 'WRONG_PASSKEY' | 'DAMAGED' }

/** The answer of a method that asks for the password again. */
export type PasswordResult<T> =
  | ({ accepted: true } & T)
  | { accepted: false; reason: 'WRONG_PASSWORD' | 'TOO_SOON' | 'DAMAGED'; retryAfterMs: number }

/** What a new wallet is made from: a recovery phrase, of BIP-39 unless told, or one private key. */
export type WalletOrigin =
  | { kind: 'mnemonic'; mnemonic: string; passphrase: string; phraseKind?: PhraseKind }
  | { kind: 'wif'; wif: string; addressType: AddressType }

/**
 * Where restoring looks for used addresses: `m/p'/c'/i'/0/0`, `m/p'/c'/0'/0/i` and `m/p'/c'/0'/1/i`, which is where the
 * common wallets put accounts, receiving addresses and change, and paths of `bitcoin/wallet-paths.ts`.
 */
export type ScanLine = DerivationLine

export type ScanResult = {
  /** Used addresses among those asked about, with their paths on the network in use. */
  used: { index: number; path: string; address: string; balance: string; transactions: number }[]
}

/** Whether the first addresses of a device's SegWit key and of its Taproot key were used, and how many others of the second. */
export type DevicePairScan = { payment: boolean; ordinals: boolean; others: number }

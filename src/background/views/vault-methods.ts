import type { Network } from '../../bitcoin/network.ts'
import type {
  MnemonicCheck,
  PasskeyUnlockResult,
  PasswordResult,
  UnlockResult,
  WalletOrigin,
  WifCheck,
} from './account-views.ts'

/** The part of the wire of our own pages that is about the wallet, its password and the passkey beside it. */
export type VaultMethods = {
  /** A new recovery phrase of 12 or 24 words; nothing is stored. */
  generateMnemonic(params: { words: 12 | 24 }): { words: string[] }
  /** Whether these words are a BIP-39 phrase, and if not, why. */
  checkMnemonic(params: { mnemonic: string }): MnemonicCheck
  /** Whether this is a private key of the network, and which addresses it has. */
  checkWif(params: { wif: string; network: Network }): WifCheck
  /** Derives the key of a password that is being chosen, so that setting it within two minutes does not wait for that. */
  prepareKey(params: { password: string }): null
  /**
   * Encrypts the phrase or key under the password and unlocks. Fails when a wallet exists already. `isNew` says that the phrase was
   * just made, so that nobody has paid to it yet.
   */
  createVault(params: { origin: WalletOrigin; password: string; isNew?: boolean }): null
  unlock(params: { password: string }): UnlockResult
  /** `prf` is what the passkey's PRF gives for its salt, 32 bytes in hex. It never counts as a wrong password. */
  unlockWithPasskey(params: { prf: string }): PasskeyUnlockResult
  lock(params: null): null
  /** Says that the person is there: auto-lock counts from now on. */
  touch(params: null): null
  /** Ends unlocking with a passkey. */
  changePassword(params: { current: string; next: string }): PasswordResult<object>
  /** The salt for a passkey that is to be made, 32 bytes in hex; good for ten minutes. */
  preparePasskey(params: { password: string }): PasswordResult<{ salt: string }>
  /**
   * From now on this passkey unlocks as well, instead of any before: its credential id, and what its PRF gives for that salt, in
   * hex. Throws -32602 where the salt is another one or old, 4100 while locked.
   */
  addPasskey(params: { salt: string; credentialId: string; prf: string }): null
  /** Gives the vault new keys, so that the passkey opens nothing newer, with an old copy of the vault either. */
  removePasskey(params: { password: string }): PasswordResult<object>
  /** A recovery phrase, the first one unless it is named; null words for a wallet that has none. */
  revealPhrase(params: {
    password: string
    phraseId?: string
  }): PasswordResult<{ words: string[] | null; passphrase: string }>
  /** The private keys of an account's address and of that for ordinals, in wallet import format for the network in use. */
  revealKey(params: {
    password: string
    accountId: string
  }): PasswordResult<{ wif: string; ordinalsWif: string | null }>
  /** Erases everything that the wallet stored on this computer. `confirmation` must be the word `erase`. */
  resetWallet(params: { confirmation: string }): null
}

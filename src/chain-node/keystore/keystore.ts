import type { Hex } from '../codec/hex.ts'

/** Encrypted keys in a folder. Every failure is a `KeystoreError` with geth's text. */
export interface Keystore {
  /** Addresses in the order of their files' names, locked or not. */
  accounts(): readonly Hex[]
  create(passphrase: string): Promise<Hex>
  /** @param privateKey - 32 bytes */
  importKey(privateKey: Uint8Array, passphrase: string): Promise<Hex>
  /** @param seconds - zero keeps the key until the process ends */
  unlock(address: Hex, passphrase: string, seconds: number): Promise<void>
  /** Whether the account is one of ours; it is locked afterwards. */
  lock(address: Hex): boolean
  /** Hands the key of an unlocked account to `use`, and wipes the copy. */
  withUnlocked<T>(address: Hex, use: (privateKey: Uint8Array) => T): T
  /** Hands the key to `use` if the passphrase opens it, and wipes it; whether the account is unlocked does not change. */
  withPassphrase<T>(
    address: Hex,
    passphrase: string,
    use: (privateKey: Uint8Array) => T,
  ): Promise<T>
  /** Locks everything. */
  close(): void
}

export class KeystoreError extends Error {
  override readonly name = 'KeystoreError'
}

/** A passphrase that does not open the account's file. */
export class WrongPassphraseError extends KeystoreError {
  constructor() {
    super('could not decrypt key with given password')
  }
}

import { type Keystore, KeystoreError } from './keystore.ts'

/** What a node has in place of keys where other machines reach it: no account, and geth's text for each that asks for one. */
export function createClosedKeystore(): Keystore {
  const refuse = () => {
    throw new KeystoreError('account unlock with HTTP access is forbidden')
  }
  const refuseLater = async () => refuse()
  return {
    accounts: () => [],
    create: refuseLater,
    importKey: refuseLater,
    unlock: refuseLater,
    lock: refuse,
    withUnlocked: refuse,
    withPassphrase: refuseLater,
    close() {},
  }
}

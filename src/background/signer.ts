import type { AddressType } from '../bitcoin/address.ts'
import { toHex } from '../bitcoin/bytes.ts'
import { derivationPath, deriveKey, type KeyPair } from '../bitcoin/derivation.ts'
import * as messages from '../bitcoin/message.ts'
import { mnemonicToSeed } from '../bitcoin/mnemonic.ts'
import type { Network } from '../bitcoin/network.ts'
import * as payments from '../bitcoin/payment.ts'
import type { Vault, VaultAccount } from './vault.ts'

/** An account without its secrets; public keys are 33 bytes in hex, one for mainnet and one for all test networks. */
export type AccountKeys = {
  id: string
  name: string
  addressType: AddressType
  index: number
  publicKeys: { mainnet: string; test: string }
}

export type SignedPayment = ReturnType<typeof payments.signPayment>

/** Uses the keys of an unlocked vault; throws `VaultLockedError` when it is locked. Keeps nothing from call to call. */
export type Signer = {
  deriveAccounts(): Promise<AccountKeys[]>
  signMessage(params: {
    accountId: string
    network: Network
    message: string
    type: messages.MessageType
  }): Promise<string>
  signPayment(params: {
    accountId: string
    network: Network
    payment: payments.Payment
    previousTransactions: ReadonlyMap<string, Uint8Array>
  }): Promise<SignedPayment>
}

/**
 * Derives keys from the secret for one call and wipes them after it. Strings (the phrase) and what the BIP-32 library copies
 * cannot be wiped in JavaScript; they are dropped at once.
 */
export function createSigner({ vault }: { vault: Pick<Vault, 'open'> }): Signer {
  async function withSeed<T>(use: (seed: Uint8Array, accounts: VaultAccount[]) => T): Promise<T> {
    const { mnemonic, passphrase, accounts } = await vault.open()
    const seed = await mnemonicToSeed(mnemonic, passphrase)
    try {
      return use(seed, accounts)
    } finally {
      seed.fill(0)
    }
  }

  function withKey<T>(
    { accountId, network }: { accountId: string; network: Network },
    use: (keys: KeyPair, account: VaultAccount) => T,
  ): Promise<T> {
    return withSeed((seed, accounts) => {
      const account = accounts.find(({ id }) => id === accountId)
      if (!account) throw new UnknownAccountError(accountId)
      const keys = deriveKey(seed, derivationPath(account.addressType, network, account.index))
      try {
        return use(keys, account)
      } finally {
        keys.privateKey.fill(0)
      }
    })
  }

  return {
    deriveAccounts: () =>
      withSeed((seed, accounts) =>
        accounts.map(({ id, name, addressType, index }) => {
          const publicKeyOn = (network: Network) => {
            const keys = deriveKey(seed, derivationPath(addressType, network, index))
            keys.privateKey.fill(0)
            return toHex(keys.publicKey)
          }
          const publicKeys = { mainnet: publicKeyOn('mainnet'), test: publicKeyOn('regtest') }
          return { id, name, addressType, index, publicKeys }
        }),
      ),
    signMessage: params =>
      withKey(params, ({ privateKey }, { addressType }) => {
        const { message, type, network } = params
        return messages.signMessage({ message, type, privateKey, addressType, network })
      }),
    signPayment: params =>
      withKey(params, ({ privateKey }, { addressType }) => {
        const { payment, previousTransactions } = params
        if (payment.addressType !== addressType)
          throw new Error(
            `payment: inputs are ${payment.addressType}, the account is ${addressType}`,
          )
        return payments.signPayment(payment, privateKey, previousTransactions)
      }),
  }
}

export class UnknownAccountError extends Error {
  override name = 'UnknownAccountError'
  constructor(accountId: string) {
    super(`There is no account ${accountId}.`)
  }
}

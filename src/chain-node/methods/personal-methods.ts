import { encodeHex } from '../codec/hex.ts'
import { nameKind, readAddress, readData, readString } from '../codec/parameters.ts'
import type { Keystore } from '../keystore/keystore.ts'
import { parsePrivateKey } from '../keystore/private-key.ts'
import { recoverSigner, signMessage } from '../keystore/signed-message.ts'
import { defineMethod, type Method, type MethodTable, optional, required } from '../rpc/method.ts'
import { ArgumentError, RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'

export interface PersonalServices {
  readonly keystore: Keystore
  /** Whether `personal_importRawKey` does what its name says; the specification has it as not implemented. */
  readonly importRawKey: boolean
}

/** The key store over the wire; sending is elsewhere. Passphrases may be empty, as geth's. */
export function listPersonalMethods({ keystore, importRawKey }: PersonalServices): MethodTable {
  return {
    personal_importRawKey: importRawKey ? defineImport(keystore) : REFUSED_IMPORT,

    personal_listAccounts: defineMethod([], () => keystore.accounts()),

    personal_lockAccount: defineMethod([required(readAddress)], ([address]) =>
      keystore.lock(address),
    ),

    personal_newAccount: defineMethod([required(readString)], ([passphrase]) =>
      keystore.create(passphrase),
    ),

    personal_unlockAccount: defineMethod(
      [required(readAddress), required(readString), optional(readSeconds, DEFAULT_UNLOCK_SECONDS)],
      async ([address, passphrase, seconds]) => {
        await keystore.unlock(address, passphrase, seconds)
        return true
      },
    ),

    personal_sign: defineMethod(
      [required(readData), required(readAddress), optional<string | null>(readString, null)],
      ([message, address, passphrase]) => {
        const sign = (key: Uint8Array) => encodeHex(signMessage(message, key))
        // Clients leave the passphrase out, as wallets ask a person for it: the account must be unlocked then.
        if (passphrase === null) return keystore.withUnlocked(address, sign)
        return keystore.withPassphrase(address, passphrase, sign)
      },
    ),

    personal_ecRecover: defineMethod(
      [required(readData), required(readData)],
      ([message, signature]) => {
        if (signature.length !== 65) throw refuse('signature must be 65 bytes long')
        if (signature[64] !== 27 && signature[64] !== 28) {
          throw refuse('invalid Ethereum signature (V is not 27 or 28)')
        }
        const signer = recoverSigner(message, signature)
        if (signer === null) throw refuse('recovery failed')
        return signer
      },
    ),
  }
}

const DEFAULT_UNLOCK_SECONDS = 300

const REFUSED_IMPORT: Method = defineMethod([required(readString), required(readString)], () => {
  throw refuse('personal_importRawKey is not implemented')
})

function defineImport(keystore: Keystore): Method {
  return defineMethod([required(readString), required(readString)], async ([text, passphrase]) => {
    const key = parsePrivateKey(text)
    try {
      return await keystore.importKey(key, passphrase)
    } finally {
      key.fill(0)
    }
  })
}

/** Whole seconds as a JSON number, as geth; how many are too many is for the key store to say. */
function readSeconds(value: unknown): number {
  if (typeof value !== 'number') throw notSeconds(nameKind(value))
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** 64) {
    throw notSeconds(`number ${value}`)
  }
  return value
}

function notSeconds(found: string): ArgumentError {
  return new ArgumentError(`json: cannot unmarshal ${found} into Go value of type uint64`)
}

function refuse(message: string): RpcError {
  return new RpcError(SERVER_ERROR, message)
}

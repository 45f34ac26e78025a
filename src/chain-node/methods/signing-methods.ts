import { encodeHex } from '../codec/hex.ts'
import { readAddress, readData } from '../codec/parameters.ts'
import type { Keystore } from '../keystore/keystore.ts'
import { signMessage } from '../keystore/signed-message.ts'
import { hasArrays, hashTypedData, readTypedData, signTypedHash } from '../keystore/typed-data.ts'
import { defineMethod, type MethodTable, required } from '../rpc/method.ts'
import { ArgumentError } from '../rpc/rpc-error.ts'

export interface SigningServices {
  readonly keystore: Keystore
}

/** Structured data that unlocked accounts sign (EIP-712); not part of the specification. */
export function listTypedDataMethods({ keystore }: SigningServices): MethodTable {
  // Hashed while it is read: what does not fit is a wrong argument, with its place.
  const define = (read: (value: unknown) => Uint8Array) =>
    defineMethod([required(readAddress), required(read)], ([address, hash]) =>
      keystore.withUnlocked(address, key => encodeHex(signTypedHash(hash, key))),
    )
  return {
    eth_signTypedData_v3: define(value => {
      const data = readTypedData(value)
      if (hasArrays(data)) {
        throw new ArgumentError('types: expected no array, of which version 3 knows nothing')
      }
      return hashTypedData(data)
    }),
    eth_signTypedData_v4: define(value => hashTypedData(readTypedData(value))),
  }
}

/** What unlocked accounts sign, and which accounts there are. */
export function listSigningMethods({ keystore }: SigningServices): MethodTable {
  return {
    eth_accounts: defineMethod([], () => keystore.accounts()),

    eth_sign: defineMethod([required(readAddress), required(readData)], ([address, message]) =>
      keystore.withUnlocked(address, key => encodeHex(signMessage(message, key))),
    ),
  }
}

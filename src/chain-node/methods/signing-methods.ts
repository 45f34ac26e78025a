import { encodeHex } from '../codec/hex.ts'
import { readAddress, readData } from '../codec/parameters.ts'
import type { Keystore } from '../keystore/keystore.ts'
import { signMessage } from '../keystore/signed-message.ts'
import { hasArrays, readTypedData, signTypedData, type TypedData } from '../keystore/typed-data.ts'
import { defineMethod, type MethodTable, required } from '../rpc/method.ts'
import { ArgumentError } from '../rpc/rpc-error.ts'

export interface SigningServices {
  readonly keystore: Keystore
}

/** Structured data that unlocked accounts sign (EIP-712); not part of the specification. */
export function listTypedDataMethods({ keystore }: SigningServices): MethodTable {
  const define = (read: (value: unknown) => TypedData) =>
    defineMethod([required(readAddress), required(read)], ([address, data]) =>
      keystore.withUnlocked(address, key => encodeHex(signTypedData(data, key))),
    )
  return {
    eth_signTypedData_v3: define(value => {
      const data = readTypedData(value)
      if (hasArrays(data)) {
        throw new ArgumentError('types: expected no array, of which version 3 knows nothing')
      }
      return data
    }),
    eth_signTypedData_v4: define(readTypedData),
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

import { encodeHex } from '../codec/hex.ts'
import { readAddress, readData } from '../codec/parameters.ts'
import type { Keystore } from '../keystore/keystore.ts'
import { signMessage } from '../keystore/signed-message.ts'
import { defineMethod, type MethodTable, required } from '../rpc/method.ts'

export interface SigningServices {
  readonly keystore: Keystore
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

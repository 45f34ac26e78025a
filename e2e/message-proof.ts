import { Address, TEST_NETWORK } from '@scure/btc-signer'
import { Verifier } from 'bip322-js'
import { REGTEST } from './psbt/coins.ts'

/** Whether bip322-js finds that the owner of a regtest address signed this, by either protocol. */
export function provesMessage(address: string, message: string, signature: string): boolean {
  // It does not know regtest's prefix; the script, which is what is signed for, is the same.
  const asTestnet = Address(TEST_NETWORK).encode(Address(REGTEST).decode(address))
  return Verifier.verifySignature(asTestnet, message, signature)
}

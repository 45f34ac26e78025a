import type { AddressType } from './address.ts'
import { coinType, type Network } from './network.ts'
import { bip32, publicKeyOf } from './secp256k1.ts'

/** A key pair; the public key has 33 bytes. */
export type KeyPair = { privateKey: Uint8Array; publicKey: Uint8Array }

/** BIP-86, BIP-84, BIP-49, BIP-44. */
const PURPOSES: { [type in AddressType]: number } = {
  p2tr: 86,
  p2wpkh: 84,
  'p2sh-p2wpkh': 49,
  p2pkh: 44,
}

/** Path of an account's one address, such as `m/86'/0'/3'/0/0` for account 3. */
export function derivationPath(type: AddressType, network: Network, index: number): string {
  return `m/${PURPOSES[type]}'/${coinType(network)}'/${index}'/0/0`
}

/** The key at a BIP-32 path below the master key (`m`) of a seed of 16 to 64 bytes. */
export function deriveKey(seed: Uint8Array, path: string): KeyPair {
  const master = bip32().fromSeed(seed)
  const { privateKey } = path === 'm' ? master : master.derivePath(path)
  if (!privateKey) throw new Error(`derivation: no private key at ${path}`)
  return { privateKey, publicKey: publicKeyOf(privateKey) }
}

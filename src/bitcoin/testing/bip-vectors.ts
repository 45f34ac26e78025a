import type { AddressType } from '../address.ts'
import { toHex } from '../bytes.ts'
import type { Network } from '../network.ts'
import bip32 from './vectors/bip32.json' with { type: 'json' }
import bip49 from './vectors/bip49.json' with { type: 'json' }
import bip84 from './vectors/bip84.json' with { type: 'json' }
import bip86 from './vectors/bip86.json' with { type: 'json' }

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** A BIP-32 chain: keys in hex. */
export type DerivationVector = {
  seed: string
  path: string
  privateKey: string
  publicKey: string
}

/** An address of BIP-49, BIP-84 or BIP-86. `publicKey` is hex, x-only for BIP-86. */
export type AddressVector = {
  mnemonic: string
  path: string
  type: AddressType
  network: Network
  publicKey: string
  address: string
}

/** The 17 chains of BIP-32. */
export const BIP32_VECTORS: readonly DerivationVector[] = bip32.flatMap(({ seed, chains }) =>
  chains.map(({ path, xpub, xprv }) => ({
    seed,
    path,
    publicKey: keyOfExtendedKey(xpub),
    privateKey: keyOfExtendedKey(xprv).slice(2),
  })),
)

/** The address of BIP-49, and its private key in hex and in wallet import format. */
export const BIP49_VECTOR: AddressVector & { privateKey: string; wif: string } = {
  ...bip49,
  type: 'p2sh-p2wpkh',
  network: 'testnet4',
}

/** The 3 addresses of BIP-84. */
export const BIP84_VECTORS = addressVectors('p2wpkh', bip84)

/** The 3 addresses of BIP-86. */
export const BIP86_VECTORS = addressVectors('p2tr', bip86)

function addressVectors(type: AddressType, bip: typeof bip84): readonly AddressVector[] {
  const { mnemonic, addresses } = bip
  return addresses.map(vector => ({ mnemonic, type, network: 'mainnet', ...vector }))
}

/** The last 33 of the 78 bytes of an extended key: the public key, or a zero byte and the private key. Ignores the checksum. */
function keyOfExtendedKey(text: string): string {
  let value = 0n
  for (const char of text) value = value * 58n + BigInt(BASE58.indexOf(char))
  const bytes = Uint8Array.from({ length: 82 }, (_, i) =>
    Number((value >> BigInt(8 * (81 - i))) & 255n),
  )
  return toHex(bytes.slice(45, 78))
}

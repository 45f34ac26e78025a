import type { AddressType } from '../address.ts'
import { toHex } from '../bytes.ts'
import type { Network } from '../network.ts'

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

/** The chains of all the valid test vectors of bip-0032.mediawiki. */
export function parseBip32Vectors(wiki: string): DerivationVector[] {
  const vectors: DerivationVector[] = []
  let seed = ''
  let path = ''
  let publicKey = ''
  for (const line of wiki.split('\n')) {
    const [, key, value] =
      /^(?:\*+ )?(Seed \(hex\):|Chain|ext pub:|ext prv:) (\S+)$/.exec(line) ?? []
    if (!key || !value) continue
    if (key.startsWith('Seed')) seed = value
    else if (key === 'Chain') path = value.replaceAll('<sub>H</sub>', "'")
    else if (key === 'ext pub:') publicKey = keyOfExtendedKey(value)
    else vectors.push({ seed, path, publicKey, privateKey: keyOfExtendedKey(value).slice(2) })
  }
  return vectors
}

/** The addresses of bip-0084.mediawiki or bip-0086.mediawiki. */
export function parseAddressVectors(type: 'p2wpkh' | 'p2tr', wiki: string): AddressVector[] {
  const mnemonic = /mnemonic = (.+)/.exec(wiki)?.[1] ?? ''
  const blocks = wiki.matchAll(/address = (m\/\S+)\n((?: *\w+ *= \w+\n)+)/g)
  return [...blocks].map(([, path = '', fields = '']) => ({
    mnemonic,
    path,
    type,
    network: 'mainnet',
    publicKey: /(?:pubkey|internal_key) *= (\w+)/.exec(fields)?.[1] ?? '',
    address: /address *= (\w+)/.exec(fields)?.[1] ?? '',
  }))
}

/** The one address of bip-0049.mediawiki. */
export function parseBip49Vector(wiki: string): AddressVector {
  return {
    mnemonic: /masterseedWords = (.+)/.exec(wiki)?.[1] ?? '',
    path: /receiving private key = (\S+)/.exec(wiki)?.[1] ?? '',
    type: 'p2sh-p2wpkh',
    network: 'testnet4',
    publicKey: /account0recvPublicKeyHex = 0x(\w+)/.exec(wiki)?.[1] ?? '',
    address: /address = base58check\(.+\) = (\w+)/.exec(wiki)?.[1] ?? '',
  }
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The last 33 of the 78 bytes of an extended key: the public key, or a zero byte and the private key. Ignores the checksum. */
function keyOfExtendedKey(text: string): string {
  let value = 0n
  for (const char of text) value = value * 58n + BigInt(BASE58.indexOf(char))
  const bytes = Uint8Array.from({ length: 82 }, (_, i) =>
    Number((value >> BigInt(8 * (81 - i))) & 255n),
  )
  return toHex(bytes.slice(45, 78))
}

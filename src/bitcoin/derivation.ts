import type { BIP32Interface } from 'bip32'
import type { AddressType } from './address.ts'
import { coinType, type KeySpace } from './network.ts'
import { bip32, publicKeyOf } from './secp256k1.ts'

/** A key pair; the public key has 33 bytes. */
export type KeyPair = { privateKey: Uint8Array; publicKey: Uint8Array }

/** Where wallets put addresses: one at the start of each account, or many in the first account. */
export type DerivationLine = 'accounts' | 'receive' | 'change'

/** Which of a phrase's addresses; the index counts along its line. */
export type Place = { addressType: AddressType; line: DerivationLine; index: number }

/** BIP-86, BIP-84, BIP-49, BIP-44. */
const PURPOSES: { [type in AddressType]: number } = {
  p2tr: 86,
  p2wpkh: 84,
  'p2sh-p2wpkh': 49,
  p2pkh: 44,
}

/** Path of an address: `m/86'/0'/3'/0/0` for account 3, and `m/86'/0'/0'/1/3` for the fourth change address. */
export function derivationPath({ addressType, line, index }: Place, space: KeySpace): string {
  const parent = `m/${PURPOSES[addressType]}'/${coinType(space)}'`
  if (line === 'accounts') return `${parent}/${index}'/0/0`
  return `${parent}/0'/${line === 'receive' ? 0 : 1}/${index}`
}

/** Whether two places are one address: account 0 begins with the first receiving address. */
export function isSamePlace(a: Place, b: Place): boolean {
  return derivationPath(a, 'mainnet') === derivationPath(b, 'mainnet')
}

/** The key at a BIP-32 path below the master key (`m`) of a seed of 16 to 64 bytes. */
export function deriveKey(seed: Uint8Array, path: string): KeyPair {
  const { privateKey } = walkTree(seed)(path)
  if (!privateKey) throw new Error(`derivation: no private key at ${path}`)
  return { privateKey, publicKey: publicKeyOf(privateKey) }
}

/** Gives the 33-byte public key of each path that it is asked for, deriving what paths have in common once. */
export function createPublicKeys(seed: Uint8Array): (path: string) => Uint8Array {
  const nodeAt = walkTree(seed)
  return path => Uint8Array.from(nodeAt(path).publicKey)
}

function walkTree(seed: Uint8Array): (path: string) => BIP32Interface {
  const nodes = new Map([['m', bip32().fromSeed(seed)]])
  return function nodeAt(path): BIP32Interface {
    const known = nodes.get(path)
    if (known) return known
    const parent = path.slice(0, path.lastIndexOf('/'))
    const node = nodeAt(parent).derivePath(path.slice(parent.length + 1))
    nodes.set(path, node)
    return node
  }
}

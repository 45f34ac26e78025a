import type { BIP32Interface } from 'bip32'
import type { AddressType } from './address.ts'
import { toHex } from './bytes.ts'
import { isPathTemplate, type PathTemplate } from './key-origin.ts'
import { coinType, type KeySpace } from './network.ts'
import { bip32, publicKeyOf } from './secp256k1.ts'

/** A key pair; the public key has 33 bytes. */
export type KeyPair = { privateKey: Uint8Array; publicKey: Uint8Array }

/** Where wallets put addresses: one at the start of each account, many in the first account, or along a path of their own. */
export type DerivationLine = 'accounts' | 'receive' | 'change' | PathTemplate

/** Which of a phrase's addresses; the index counts along its line, and is below 2^31. */
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
  if (isPathTemplate(line)) {
    return line.replace(/[ci]/g, letter => String(letter === 'c' ? coinType(space) : index))
  }
  const parent = `m/${PURPOSES[addressType]}'/${coinType(space)}'`
  if (line === 'accounts') return `${parent}/${index}'/0/0`
  return `${parent}/0'/${line === 'receive' ? 0 : 1}/${index}`
}

/** Path of the key below which all addresses of an account are (BIP-44), of one that begins with its first receiving address. */
export function accountPath(place: Place, space: KeySpace): string | null {
  const path = derivationPath(place, space)
  // Electrum has its account of legacy addresses right below the master key.
  if (path === 'm/0/0') return 'm'
  return path.endsWith("'/0/0") ? path.slice(0, -'/0/0'.length) : null
}

/** Path of an account's address by branch (0 for receiving, 1 for change) and index; an account of one address has the first alone. */
export function addressPath(
  place: Place,
  { branch, index }: { branch: number; index: number },
  space: KeySpace,
): string {
  if (branch === 0 && index === 0) return derivationPath(place, space)
  const account = accountPath(place, space)
  if (account === null) throw new Error('derivation: the account has one address')
  return `${account}/${branch}/${index}`
}

/** Whether two places are one address: account 0 begins with the first receiving address. */
export function isSamePlace(a: Place, b: Place): boolean {
  const isSameIn = (space: KeySpace) => derivationPath(a, space) === derivationPath(b, space)
  return a.addressType === b.addressType && isSameIn('mainnet') && isSameIn('test')
}

/** Whether a place is one of the many addresses of the account that begins at another, or that first one. */
export function isAmongAddresses(place: Place, first: Place): boolean {
  const account = accountPath(first, 'mainnet')
  if (account === null || place.addressType !== first.addressType) return false
  const path = derivationPath(place, 'mainnet')
  return path.startsWith(`${account}/`) && /^[01]\/\d+$/.test(path.slice(account.length + 1))
}

/** The key at a BIP-32 path below the master key (`m`) of a seed of 16 to 64 bytes. */
export function deriveKey(seed: Uint8Array, path: string): KeyPair {
  return createKeys(seed)(path)
}

/** The keys at paths below the master key of a seed, deriving what paths have in common once. */
export function createKeys(seed: Uint8Array): (path: string) => KeyPair {
  const nodeAt = walkTree(seed)
  return path => {
    const { privateKey } = nodeAt(path)
    if (!privateKey) throw new Error(`derivation: no private key at ${path}`)
    return { privateKey, publicKey: publicKeyOf(privateKey) }
  }
}

/** What BIP-32 says of the public key at a path below the master key of a seed. */
export type PublicNode = {
  depth: number
  /** 8 hex digits, as that of the master key. */
  parentFingerprint: string
  masterFingerprint: string
  childNumber: number
  chainCode: Uint8Array
  publicKey: Uint8Array
}

/** The public keys at paths below the master key of a seed, with what further keys are derived from. */
export function createPublicNodes(seed: Uint8Array): (path: string) => PublicNode {
  const nodeAt = walkTree(seed)
  const masterFingerprint = toHex(nodeAt('m').fingerprint)
  return path => {
    const { depth, parentFingerprint, index, chainCode, publicKey } = nodeAt(path)
    return {
      depth,
      parentFingerprint: parentFingerprint.toString(16).padStart(8, '0'),
      masterFingerprint,
      childNumber: index,
      chainCode: Uint8Array.from(chainCode),
      publicKey: Uint8Array.from(publicKey),
    }
  }
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

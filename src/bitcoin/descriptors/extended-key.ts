// Extended public keys (BIP-32, SLIP-132): reading, writing, and the keys below them. Private ones are refused, and no
// error repeats the text that it is about.

import { hash160, hash256 } from 'bitcoinjs-lib/src/crypto'
import type { AddressType } from '../address.ts'
import { concatBytes, toHex } from '../bytes.ts'
import { HARDENED } from '../key-origin.ts'
import type { KeySpace } from '../network.ts'
import { bip32 } from '../secp256k1.ts'

/** A public key from which others are derived (BIP-32). The bytes are never changed. */
export type ExtendedKey = {
  space: KeySpace
  /** 0 for a master key, at most 255. */
  depth: number
  /** The first 4 bytes of the parent's hash, 8 hex digits; zeros for a master key. */
  parentFingerprint: string
  /** Below 2^32; hardened ones from 2^31 on. */
  childNumber: number
  /** 32 bytes. */
  chainCode: Uint8Array
  /** 33 bytes. */
  publicKey: Uint8Array
}

/** The first four letters of an extended public key, which its version bytes make. */
export type ExtendedKeyPrefix = keyof typeof VERSIONS

/** What the version of SLIP-132 says of the scripts that a key is for; null where it leaves that open. */
export type ExtendedKeyUse = {
  prefix: ExtendedKeyPrefix
  /** Addresses of this key alone. */
  addressType: AddressType | null
  /** Scripts that it is one of several keys of. */
  multisig: 'p2wsh' | 'p2sh-p2wsh' | null
}

/** A text that is no extended public key. */
export class InvalidExtendedKeyError extends Error {
  override name = 'InvalidExtendedKeyError'
  /**
   * `private`: it is or seems to be a private key. `checksum`: letters are wrong or missing. `version`: of another coin, or
   * unknown. `malformed`: anything else.
   */
  readonly problem: 'private' | 'checksum' | 'version' | 'malformed'
  constructor(problem: InvalidExtendedKeyError['problem'], message: string) {
    super(`extended public key: ${message}`)
    this.problem = problem
  }
}

type Version = {
  public: number
  private: number
  space: KeySpace
  addressType: AddressType | null
  multisig: ExtendedKeyUse['multisig']
}

const OPEN = { addressType: null, multisig: null } as const
const NESTED = { addressType: 'p2sh-p2wpkh', multisig: null } as const
const SEGWIT = { addressType: 'p2wpkh', multisig: null } as const
const NESTED_MULTISIG = { addressType: null, multisig: 'p2sh-p2wsh' } as const
const SEGWIT_MULTISIG = { addressType: null, multisig: 'p2wsh' } as const

/** The rows of Bitcoin in https://github.com/satoshilabs/slips/blob/master/slip-0132.md; wallets use xpub and tpub for all scripts. */
const VERSIONS = {
  xpub: { public: 0x0488b21e, private: 0x0488ade4, space: 'mainnet', ...OPEN },
  ypub: { public: 0x049d7cb2, private: 0x049d7878, space: 'mainnet', ...NESTED },
  zpub: { public: 0x04b24746, private: 0x04b2430c, space: 'mainnet', ...SEGWIT },
  Ypub: { public: 0x0295b43f, private: 0x0295b005, space: 'mainnet', ...NESTED_MULTISIG },
  Zpub: { public: 0x02aa7ed3, private: 0x02aa7a99, space: 'mainnet', ...SEGWIT_MULTISIG },
  tpub: { public: 0x043587cf, private: 0x04358394, space: 'test', ...OPEN },
  upub: { public: 0x044a5262, private: 0x044a4e28, space: 'test', ...NESTED },
  vpub: { public: 0x045f1cf6, private: 0x045f18bc, space: 'test', ...SEGWIT },
  Upub: { public: 0x024289ef, private: 0x024285b5, space: 'test', ...NESTED_MULTISIG },
  Vpub: { public: 0x02575483, private: 0x02575048, space: 'test', ...SEGWIT_MULTISIG },
} as const satisfies Record<string, Version>

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Letters of every extended key of these versions. */
const TEXT_LENGTH = 111
const MAX_DEPTH = 255

/** Whether a text begins as extended keys of Bitcoin do, private ones too. */
export function looksLikeExtendedKey(text: string): boolean {
  return /^[xyzYZtuvUV](?:pub|prv)[1-9A-HJ-NP-Za-km-z]/.test(text)
}

/** Reads an extended public key, exactly as it is written; throws {@link InvalidExtendedKeyError}. */
export function parseExtendedKey(text: string): ExtendedKey & ExtendedKeyUse {
  const prefix = text.slice(0, 4)
  if (/^[xyzYZtuvUV]prv/.test(prefix))
    throw new InvalidExtendedKeyError('private', 'expected a public key, found a private one')
  if (!/^[1-9A-HJ-NP-Za-km-z]+$/.test(text.slice(0, TEXT_LENGTH + 1)))
    throw new InvalidExtendedKeyError('malformed', 'expected letters and digits of base 58')
  if (!isPrefix(prefix))
    throw new InvalidExtendedKeyError(
      'version',
      `expected one that begins with ${Object.keys(VERSIONS).join(', ')}`,
    )
  if (text.length !== TEXT_LENGTH)
    throw new InvalidExtendedKeyError(
      'checksum',
      `expected ${TEXT_LENGTH} letters, found ${text.length}`,
    )
  const { space, addressType, multisig } = VERSIONS[prefix]
  const node = decode(text, prefix)
  return {
    space,
    depth: node.depth,
    parentFingerprint: node.parentFingerprint.toString(16).padStart(8, '0'),
    childNumber: node.index,
    chainCode: node.chainCode,
    publicKey: node.publicKey,
    prefix,
    addressType,
    multisig,
  }
}

/** An extended public key as BIP-32 writes it, `xpub…` or `tpub…`. */
export function formatExtendedKey(key: ExtendedKey): string {
  const payload = encodeExtendedKey(key)
  return encodeBase58(concatBytes(payload, hash256(payload).subarray(0, 4)))
}

/** The 78 bytes of BIP-32, as xpub or tpub. */
export function encodeExtendedKey(key: ExtendedKey): Uint8Array {
  const { space, depth, parentFingerprint, childNumber, chainCode, publicKey } = key
  const bytes = new Uint8Array(13)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, VERSIONS[space === 'mainnet' ? 'xpub' : 'tpub'].public)
  view.setUint8(4, depth)
  view.setUint32(5, Number.parseInt(parentFingerprint, 16))
  view.setUint32(9, childNumber)
  return concatBytes(bytes, chainCode, publicKey)
}

/** The fingerprint of the key itself, which its children name: 8 hex digits. */
export function fingerprintOf({ publicKey }: { publicKey: Uint8Array }): string {
  return toHex(hash160(publicKey).subarray(0, 4))
}

/** Children of the same extended key are derived from what is here. */
type Node = ReturnType<ReturnType<typeof bip32>['fromBase58']>
type Nodes = Map<string, Node>
const known = new WeakMap<ExtendedKey, Nodes>()

/** As many nodes below a key are kept; then they are forgotten and begun anew. */
const MOST_NODES = 5_000

/**
 * The key at a path of unhardened steps below an extended key. Each step is derived once for the same object: a thousand
 * addresses of a branch cost a thousand derivations and the branch's own. Throws {@link InvalidExtendedKeyError} for hardened
 * steps, which need the private key, and below depth 255.
 */
export function deriveExtendedKey(key: ExtendedKey, path: readonly number[]): ExtendedKey {
  if (path.length === 0) return key
  if (path.some(step => !Number.isInteger(step) || step < 0 || step >= HARDENED))
    throw new InvalidExtendedKeyError(
      'malformed',
      'expected a path of unhardened steps: others need the private key',
    )
  if (key.depth + path.length > MAX_DEPTH)
    throw new InvalidExtendedKeyError('malformed', `expected a depth of at most ${MAX_DEPTH}`)
  const nodes: Nodes = known.get(key) ?? new Map()
  known.set(key, nodes)
  const node = findNode(key, nodes, path)
  return {
    space: key.space,
    depth: key.depth + path.length,
    parentFingerprint: node.parentFingerprint.toString(16).padStart(8, '0'),
    childNumber: node.index,
    chainCode: node.chainCode,
    publicKey: node.publicKey,
  }
}

function findNode(key: ExtendedKey, nodes: Nodes, path: readonly number[]): Node {
  const name = path.join('/')
  const found = nodes.get(name)
  if (found) return found
  const parent = path.slice(0, -1)
  const from =
    path.length === 0
      ? bip32().fromPublicKey(key.publicKey, key.chainCode)
      : findNode(key, nodes, parent).derive(path.at(-1) ?? 0)
  if (nodes.size >= MOST_NODES) nodes.clear()
  nodes.set(name, from)
  return from
}

function isPrefix(text: string): text is ExtendedKeyPrefix {
  return Object.hasOwn(VERSIONS, text)
}

function decode(text: string, prefix: ExtendedKeyPrefix): Node {
  const version = VERSIONS[prefix]
  try {
    const node = bip32().fromBase58(text, { bip32: version, wif: 0 })
    if (node.isNeutered()) return node
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : '')
  }
  throw new InvalidExtendedKeyError('private', 'expected a public key, found a private one')
}

function refuse(reason: string): InvalidExtendedKeyError {
  if (/checksum/i.test(reason))
    return new InvalidExtendedKeyError(
      'checksum',
      'the checksum is wrong: a letter is missing or mistyped',
    )
  if (/version/i.test(reason))
    return new InvalidExtendedKeyError(
      'version',
      'the version bytes are those of no key of Bitcoin',
    )
  if (/parent fingerprint|index/i.test(reason))
    return new InvalidExtendedKeyError('malformed', 'a master key with a parent')
  return new InvalidExtendedKeyError('malformed', 'expected a point of the curve')
}

function encodeBase58(bytes: Uint8Array): string {
  let value = BigInt(`0x${toHex(bytes)}`)
  let text = ''
  for (; value > 0n; value /= 58n) text = (BASE58[Number(value % 58n)] ?? '') + text
  return text
}

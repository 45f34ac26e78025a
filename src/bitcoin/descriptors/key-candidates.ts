// What a person can choose of a key file: accounts, each a descriptor of both branches. Everything that reads key files ends
// here.

import type { AddressType } from '../address.ts'
import { HARDENED, type KeyOrigin, parseKeyPath } from '../key-origin.ts'
import type { KeySpace } from '../network.ts'
import {
  countDescriptorBranches,
  type Descriptor,
  formatDescriptor,
  isRangedDescriptor,
  joinDescriptors,
  keySpaceOfDescriptor,
  listDescriptorKeys,
  type MultisigScript,
  parseDescriptor,
  withKeys,
} from './descriptor.ts'
import { InvalidDescriptorError, stripDescriptorChecksum } from './descriptor-checksum.ts'
import {
  type ExtendedKey,
  type ExtendedKeyUse,
  fingerprintOf,
  formatExtendedKey,
  InvalidExtendedKeyError,
  parseExtendedKey,
} from './extended-key.ts'
import type { ExtendedKeyExpression, KeyExpression } from './key-expression.ts'

/** An account that a key file offers. */
export type KeyCandidate = {
  /** As `formatDescriptor` writes it. */
  descriptor: string
  /** Null where several keys sign. */
  addressType: AddressType | null
  /** Null where one key signs. */
  policy: { script: MultisigScript; threshold: number; keys: number } | null
  /** Null where no key says whether it is of mainnet. */
  space: KeySpace | null
  /** Of the master key, where one key signs and the file says it: without it no device knows its key again. */
  fingerprint: string | null
  /** What the file calls it; at most 64 characters. */
  name: string | null
  /** Whether the file left the branches out, and they are those that wallets have: 0 for receiving and 1 for change. */
  hasAssumedBranches: boolean
}

/** Whose form a key file has. */
export type KeyFileFormat =
  | 'extended-key'
  | 'key-expression'
  | 'descriptor'
  | 'bitcoin-core'
  | 'coldcard'
  | 'electrum'
  | 'keystone'
  | 'specter'
  | 'caravan'
  | 'multisig-text'
  | 'bsms'

/** At least one account, the usual ones first. */
export type KeyFile = { format: KeyFileFormat; candidates: readonly KeyCandidate[] }

/** A text that no account comes of. */
export class InvalidKeyFileError extends Error {
  override name = 'InvalidKeyFileError'
  /**
   * `private`: it has private keys or a phrase. `encrypted`: it needs a password. `too-large`. `unsupported`: a known form, but of
   * nothing that can be an account here. `malformed`: a known form with a mistake. `unknown`: none of the forms.
   */
  readonly problem: 'private' | 'encrypted' | 'too-large' | 'unsupported' | 'malformed' | 'unknown'
  constructor(problem: InvalidKeyFileError['problem'], message: string, options?: ErrorOptions) {
    super(`key file: ${message}`, options)
    this.problem = problem
  }
}

/** An extended key of a file, with where it says that it comes from. */
export type FileKey = ExtendedKey & ExtendedKeyUse & { origin: KeyOrigin | null }

/** A descriptor of a file; `isChange` is null where the file does not say. */
export type FileDescriptor = { text: string; isChange: boolean | null }

/** Addresses as wallets list them, the usual ones first. */
const ADDRESS_TYPES: readonly AddressType[] = ['p2wpkh', 'p2tr', 'p2sh-p2wpkh', 'p2pkh']

/** BIP-44, BIP-49, BIP-84, BIP-86. */
const PURPOSES = new Map<number, AddressType>([
  [44, 'p2pkh'],
  [49, 'p2sh-p2wpkh'],
  [84, 'p2wpkh'],
  [86, 'p2tr'],
])

const MOST_DESCRIPTORS = 100
const MAX_NAME_LENGTH = 64

/** Reads an extended key and where it comes from, as the fields of a file say it. Throws {@link InvalidKeyFileError}. */
export function readFileKey(
  text: string,
  { fingerprint, path }: { fingerprint?: string | null; path?: string | null } = {},
): FileKey {
  const key = parseExtendedKey(text)
  return { ...key, origin: readOrigin(key, fingerprint ?? null, path ?? null) }
}

/**
 * The accounts of an extended key: of the addresses that `addressType`, the key's version or its path say, and of each type
 * where none of them does.
 */
export function listKeyAccounts(
  key: FileKey,
  { name, addressType }: { name?: string | null; addressType?: AddressType } = {},
): KeyCandidate[] {
  if (key.multisig)
    throw new InvalidKeyFileError(
      'unsupported',
      `${key.prefix} is one key of several: expected the file of the whole wallet, with all its keys`,
    )
  const said = addressType ?? key.addressType ?? typeOfPath(key.origin)
  return (said ? [said] : ADDRESS_TYPES).map(addressType =>
    toCandidate({ type: 'single', addressType, key: withBranches(key) }, name ?? null, true),
  )
}

/** The account of several keys of a file, sorted by BIP-67 unless the file says otherwise. */
export function buildMultisigAccount({
  script,
  threshold,
  keys,
  isSorted = true,
  name,
}: {
  script: MultisigScript
  threshold: number
  keys: readonly FileKey[]
  isSorted?: boolean
  name: string | null
}): KeyCandidate {
  const descriptor: Descriptor = {
    type: 'multisig',
    ...{ script, threshold, keys: keys.map(withBranches), isSorted, internalKey: null },
  }
  // What is no descriptor, such as 3 of 2 keys, is refused by reading it.
  return toCandidate(parseDescriptor(formatDescriptor(descriptor)), name, true)
}

/** The accounts of a file's descriptors: two branches of the same keys are one account. */
export function listDescriptorAccounts(
  files: readonly FileDescriptor[],
  name: string | null,
): KeyCandidate[] {
  if (files.length > MOST_DESCRIPTORS)
    throw new InvalidKeyFileError(
      'too-large',
      `expected at most ${MOST_DESCRIPTORS} descriptors, found ${files.length}`,
    )
  const branches = new Map<string, Branch>()
  const candidates: KeyCandidate[] = []
  const { read, refused } = readUnderstood(files)
  for (const { descriptor, isChange } of read) {
    const stem = stemOf(descriptor)
    const other = stem === null ? undefined : branches.get(stem)
    const joined = other && joinBranches(other, { descriptor, isChange })
    if (stem !== null && joined) {
      branches.delete(stem)
      candidates.push(toCandidate(joined, name, false))
    } else if (stem !== null && !other) branches.set(stem, { descriptor, isChange })
    else candidates.push(completeAccount(descriptor, name))
  }
  for (const { descriptor } of branches.values()) candidates.push(completeAccount(descriptor, name))
  if (candidates.length === 0 && refused) throw refused
  return listOnce(candidates)
}

/** Descriptors of other kinds are passed over where others stand beside them, as Bitcoin Core has any number of them. */
function readUnderstood(files: readonly FileDescriptor[]) {
  const read: Branch[] = []
  let refused: InvalidDescriptorError | null = null
  for (const { text, isChange } of files) {
    try {
      read.push({ descriptor: readFileDescriptor(text), isChange })
    } catch (error) {
      if (!(error instanceof InvalidDescriptorError && error.problem === 'unsupported')) throw error
      refused ??= error
    }
  }
  return { read, refused }
}

/** A name as it can be shown: one line, short; null for none. */
export function readName(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const name = value.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()
  return Array.from(name).slice(0, MAX_NAME_LENGTH).join('').trim() || null
}

/** The first of equal accounts. */
export function listOnce(candidates: readonly KeyCandidate[]): KeyCandidate[] {
  const known = new Map<string, KeyCandidate>()
  for (const candidate of candidates) {
    const { descriptor, hasAssumedBranches } = candidate
    const other = known.get(descriptor)
    if (!other || (other.hasAssumedBranches && !hasAssumedBranches))
      known.set(descriptor, candidate)
  }
  return [...known.values()]
}

/**
 * A descriptor as wallets write them, beyond BIP-380: keys of SLIP-132 (Keystone, BlueWallet), hardened steps with `H`, and both
 * branches as `/**` (BIP-129).
 */
function readFileDescriptor(text: string): Descriptor {
  const plain = stripDescriptorChecksum(text)
    .replace(/[yzYZuvUV]pub[1-9A-HJ-NP-Za-km-z]{107}(?![1-9A-HJ-NP-Za-km-z])/g, key =>
      formatExtendedKey(parseExtendedKey(key)),
    )
    .replace(/(\/\d{1,10})H(?=[/\]])/g, '$1h')
    .replaceAll('/**', '/<0;1>/*')
  return parseDescriptor(plain)
}

/** What the branches of an account have in common; null for a descriptor that is no branch. */
function stemOf(descriptor: Descriptor): string | null {
  if (!isRangedDescriptor(descriptor) || countDescriptorBranches(descriptor) !== 1) return null
  const keys = listDescriptorKeys(descriptor)
  const ranged = keys.filter(isRanged)
  const numbers = new Set(ranged.map(({ steps }) => steps.at(-1)))
  if (numbers.size !== 1 || numbers.has(undefined)) return null
  const stems = keys.map(key => (isRanged(key) ? { ...key, steps: key.steps.slice(0, -1) } : key))
  return formatDescriptor(withKeys(descriptor, stems))
}

type Branch = { descriptor: Descriptor; isChange: boolean | null }

function joinBranches(one: Branch, other: Branch): Descriptor | null {
  if (one.isChange !== null && one.isChange === other.isChange) return null
  const isLater = lastStep(one.descriptor) > lastStep(other.descriptor)
  const [receive, change] =
    one.isChange === true || (one.isChange === null && isLater) ? [other, one] : [one, other]
  try {
    return joinDescriptors(receive.descriptor, change.descriptor)
  } catch (error) {
    if (error instanceof InvalidDescriptorError) return null
    throw error
  }
}

/** An account of one descriptor: branches that wallets always have are added where it has none, or the one of two. */
function completeAccount(descriptor: Descriptor, name: string | null): KeyCandidate {
  const keys = listDescriptorKeys(descriptor)
  const extended = keys.filter(isExtended)
  const isBare =
    extended.length > 0 && extended.every(key => key.steps.length === 0 && !key.isRanged)
  const isHalf = stemOf(descriptor) !== null && lastStep(descriptor) <= 1
  if (!isBare && !isHalf) return toCandidate(descriptor, name, false)
  const completed = keys.map(key => {
    if (!isExtended(key) || (isHalf && !key.isRanged)) return key
    return { ...key, steps: [...key.steps.slice(0, -1), [0, 1]], isRanged: true }
  })
  return toCandidate(withKeys(descriptor, completed), name, true)
}

function toCandidate(
  descriptor: Descriptor,
  name: string | null,
  hasAssumedBranches: boolean,
): KeyCandidate {
  const isSingle = descriptor.type === 'single'
  return {
    descriptor: formatDescriptor(descriptor),
    addressType: isSingle ? descriptor.addressType : null,
    policy: isSingle
      ? null
      : {
          script: descriptor.script,
          threshold: descriptor.threshold,
          keys: descriptor.keys.length,
        },
    space: keySpaceOfDescriptor(descriptor),
    fingerprint: isSingle ? masterFingerprint(descriptor.key) : null,
    name,
    hasAssumedBranches,
  }
}

/** Of a key whose origin is known, or which is a master key itself. */
function masterFingerprint(key: KeyExpression): string | null {
  if (key.origin) return key.origin.fingerprint
  return key.type === 'extended' && key.key.depth === 0 ? fingerprintOf(key.key) : null
}

function withBranches({ origin, ...key }: FileKey): ExtendedKeyExpression {
  const { prefix: _, addressType: __, multisig: ___, ...plain } = key
  return { type: 'extended', origin, key: plain, steps: [[0, 1]], isRanged: true }
}

/** A key of depth 1 says its origin itself. BlueWallet writes zeros for a fingerprint that it does not know. */
function readOrigin(
  key: ExtendedKey,
  fingerprint: string | null,
  path: string | null,
): KeyOrigin | null {
  const steps = path === null ? null : parseKeyPath(path.trim())
  if (path !== null && steps === null)
    throw new InvalidKeyFileError('malformed', "expected a path of a key such as m/84'/0'/0'")
  if (fingerprint !== null && !/^[0-9a-fA-F]{8}$/.test(fingerprint))
    throw new InvalidKeyFileError('malformed', 'expected a fingerprint of 8 hex digits')
  const master = fingerprint?.toLowerCase() ?? ''
  if (steps && master !== '' && master !== '00000000') return { fingerprint: master, path: steps }
  if (key.depth === 1) return { fingerprint: key.parentFingerprint, path: [key.childNumber] }
  return null
}

function typeOfPath(origin: KeyOrigin | null): AddressType | null {
  return PURPOSES.get((origin?.path[0] ?? 0) - HARDENED) ?? null
}

function lastStep(descriptor: Descriptor): number {
  const step = listDescriptorKeys(descriptor).find(isRanged)?.steps.at(-1)
  return typeof step === 'number' ? step : Number.MAX_SAFE_INTEGER
}

function isExtended(key: KeyExpression): key is ExtendedKeyExpression {
  return key.type === 'extended'
}

function isRanged(key: KeyExpression): key is ExtendedKeyExpression {
  return isExtended(key) && key.isRanged
}

/** An error of reading keys or descriptors as one of the file. */
export function toKeyFileError(cause: unknown): unknown {
  if (cause instanceof InvalidExtendedKeyError) {
    const problem = cause.problem === 'private' ? 'private' : 'malformed'
    return new InvalidKeyFileError(problem, cause.message, { cause })
  }
  if (!(cause instanceof InvalidDescriptorError)) return cause
  const { problem } = cause
  const isPassedOn = problem === 'private' || problem === 'unsupported'
  return new InvalidKeyFileError(isPassedOn ? problem : 'malformed', cause.message, { cause })
}

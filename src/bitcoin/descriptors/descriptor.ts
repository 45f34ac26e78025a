// Output descriptors (BIP-380 to 387, 389) of public keys: those of one key, and those of several of which some must sign. All
// others are refused, with the place of what is not understood.

import type { AddressType } from '../address.ts'
import type { KeySpace } from '../network.ts'
import {
  computeDescriptorChecksum,
  InvalidDescriptorError,
  stripDescriptorChecksum,
} from './descriptor-checksum.ts'
import {
  countKeyBranches,
  formatKeyExpression,
  type KeyExpression,
  type KeyStep,
  parseKeyExpression,
} from './key-expression.ts'

/** `pkh(KEY)`, `wpkh(KEY)`, `sh(wpkh(KEY))`, `tr(KEY)`. */
export type SingleKeyDescriptor = { type: 'single'; addressType: AddressType; key: KeyExpression }

/** Scripts that several keys sign for: `sh(…)`, `wsh(…)`, `sh(wsh(…))`, `tr(KEY,…)`. */
export type MultisigScript = 'p2sh' | 'p2wsh' | 'p2sh-p2wsh' | 'p2tr'

/** `multi(k,KEY,…)` or `sortedmulti(k,KEY,…)`, in taproot `multi_a` and `sortedmulti_a`. */
export type MultisigDescriptor = {
  type: 'multisig'
  script: MultisigScript
  /** How many of the keys must sign. */
  threshold: number
  keys: readonly KeyExpression[]
  /** Whether the script has the keys in their own order rather than in this one. */
  isSorted: boolean
  /** Of taproot, which can spend alone; null for all others. */
  internalKey: KeyExpression | null
}

export type Descriptor = SingleKeyDescriptor | MultisigDescriptor

/** BIP-383 and BIP-387; `sh` has as many as a redeem script of 520 bytes holds. */
const MOST_KEYS: { [script in MultisigScript]: number } = {
  p2sh: 15,
  p2wsh: 20,
  'p2sh-p2wsh': 20,
  p2tr: 999,
}

/** Expressions of other BIPs and of Bitcoin Core, which are descriptors but not of kinds that are understood here. */
const OTHERS =
  /^(?:pk|combo|addr|raw|rawtr|musig|sp|multi|sortedmulti|multi_a|sortedmulti_a|pk_k|pk_h|older|after|sha256|hash256|ripemd160|hash160|andor|and_[vbn]|or_[bcdi]|thresh|[asctdvjnlu]+:\w+)$/

type Cursor = { readonly text: string; at: number }

/** Reads a descriptor, with its checksum or without one. Throws {@link InvalidDescriptorError}. */
export function parseDescriptor(text: string): Descriptor {
  const cursor: Cursor = { text: stripDescriptorChecksum(text), at: 0 }
  const descriptor = readScript(cursor)
  if (cursor.at < cursor.text.length)
    throw new InvalidDescriptorError('syntax', cursor.at, 'expected the end of the descriptor')
  expectOneKind(descriptor)
  return descriptor
}

/** The one way of writing a descriptor: hardened steps with `h`, and a checksum. */
export function formatDescriptor(descriptor: Descriptor): string {
  const text = formatScript(descriptor)
  return `${text}#${computeDescriptorChecksum(text)}`
}

/** All keys of a descriptor, taproot's internal key first. */
export function listDescriptorKeys(descriptor: Descriptor): readonly KeyExpression[] {
  if (descriptor.type === 'single') return [descriptor.key]
  const { internalKey, keys } = descriptor
  return internalKey ? [internalKey, ...keys] : keys
}

/** How many branches a descriptor has: 2 for receive and change. */
export function countDescriptorBranches(descriptor: Descriptor): number {
  return listDescriptorKeys(descriptor).map(countKeyBranches).find(isNumber) ?? 1
}

/** Whether a descriptor has a script at each index, rather than one alone. */
export function isRangedDescriptor(descriptor: Descriptor): boolean {
  return listDescriptorKeys(descriptor).some(key => key.type === 'extended' && key.isRanged)
}

/** Whose keys a descriptor's extended keys are; null where it has none. */
export function keySpaceOfDescriptor(descriptor: Descriptor): KeySpace | null {
  return listDescriptorKeys(descriptor).map(spaceOf).find(isSpace) ?? null
}

/**
 * The descriptor of both branches, from one for receiving and one for change: they may differ in one step of each key. Throws
 * {@link InvalidDescriptorError} when they differ otherwise, or not at all.
 */
export function joinDescriptors(receive: Descriptor, change: Descriptor): Descriptor {
  const others = listDescriptorKeys(change)
  const keys = listDescriptorKeys(receive).map((key, i) => joinKeys(key, others[i]))
  const joined = withKeys(receive, keys)
  const isSame =
    countDescriptorBranches(joined) === 2 &&
    [receive, change].every(
      (one, branch) => formatScript(pickBranch(joined, branch)) === formatScript(one),
    )
  if (isSame) return joined
  throw new InvalidDescriptorError(
    'unsupported',
    0,
    'expected two descriptors that differ in one step of the paths, for receiving and for change',
  )
}

/** One branch of a descriptor as a descriptor of its own. */
export function pickBranch(descriptor: Descriptor, branch: number): Descriptor {
  const pick = (step: KeyStep) => (typeof step === 'number' ? step : (step[branch] ?? 0))
  const keys = listDescriptorKeys(descriptor).map(key =>
    key.type === 'plain' ? key : { ...key, steps: key.steps.map(pick) },
  )
  return withKeys(descriptor, keys)
}

/** A descriptor with other keys in the places of its own, in the order of {@link listDescriptorKeys}. */
export function withKeys(descriptor: Descriptor, keys: readonly KeyExpression[]): Descriptor {
  const [first] = keys
  if (!first || keys.length !== listDescriptorKeys(descriptor).length)
    throw new Error('descriptor: expected as many keys as it has')
  if (descriptor.type === 'single') return { ...descriptor, key: first }
  if (!descriptor.internalKey) return { ...descriptor, keys }
  return { ...descriptor, internalKey: first, keys: keys.slice(1) }
}

function readScript(cursor: Cursor): Descriptor {
  const at = cursor.at
  const name = readName(cursor)
  if (name === 'pkh') return closed(cursor, single('p2pkh', readKey(cursor)))
  if (name === 'wpkh') return closed(cursor, single('p2wpkh', readKey(cursor)))
  if (name === 'wsh') return closed(cursor, readMultisig(cursor, 'p2wsh'))
  if (name === 'sh') return closed(cursor, readNested(cursor))
  if (name === 'tr') return closed(cursor, readTaproot(cursor))
  throw unsupported(name, at)
}

/** What stands in `sh(…)`. */
function readNested(cursor: Cursor): Descriptor {
  const { at } = cursor
  const name = readName(cursor)
  if (name === 'wpkh') return closed(cursor, single('p2sh-p2wpkh', readKey(cursor)))
  if (name === 'wsh') return closed(cursor, readMultisig(cursor, 'p2sh-p2wsh'))
  cursor.at = at
  return readMultisig(cursor, 'p2sh')
}

/** What stands in `tr(…)`. */
function readTaproot(cursor: Cursor): Descriptor {
  const internalKey = readKey(cursor, 'x-only')
  if (cursor.text[cursor.at] !== ',') return single('p2tr', internalKey)
  cursor.at++
  if (cursor.text[cursor.at] === '{')
    throw new InvalidDescriptorError('unsupported', cursor.at, 'expected a tree of one script')
  return { ...readMultisig(cursor, 'p2tr'), internalKey }
}

function readMultisig(cursor: Cursor, script: MultisigScript): MultisigDescriptor {
  const at = cursor.at
  const name = readName(cursor)
  const suffix = script === 'p2tr' ? '_a' : ''
  const isSorted = name === `sortedmulti${suffix}`
  if (!isSorted && name !== `multi${suffix}`) throw unsupported(name, at)
  const place = cursor.at
  const threshold = readThreshold(cursor)
  const keys: KeyExpression[] = []
  while (cursor.text[cursor.at] === ',') {
    cursor.at++
    keys.push(readKey(cursor, script === 'p2tr' ? 'x-only' : '33 bytes'))
    if (keys.length > MOST_KEYS[script])
      throw new InvalidDescriptorError(
        'unsupported',
        cursor.at,
        `expected at most ${MOST_KEYS[script]} keys`,
      )
  }
  if (threshold < 1 || threshold > keys.length)
    throw new InvalidDescriptorError(
      'syntax',
      place,
      `expected a number from 1 to that of the keys (${keys.length}), found ${threshold}`,
    )
  const read = { script, threshold, keys, isSorted, internalKey: null }
  return closed(cursor, { type: 'multisig', ...read })
}

function readThreshold(cursor: Cursor): number {
  const [digits = ''] = /^\d{1,4}(?=[,)])/.exec(cursor.text.slice(cursor.at, cursor.at + 5)) ?? []
  if (digits === '')
    throw new InvalidDescriptorError(
      'syntax',
      cursor.at,
      'expected how many keys must sign, and a comma',
    )
  cursor.at += digits.length
  return Number(digits)
}

/** A name with the bracket after it. */
function readName(cursor: Cursor): string {
  const { text, at } = cursor
  const [found = '', name = ''] = /^([a-z0-9_:]{1,24})\(/.exec(text.slice(at, at + 25)) ?? []
  if (found === '')
    throw new InvalidDescriptorError(
      'syntax',
      at,
      'expected an expression such as pkh(, wpkh(, sh(, wsh( or tr(',
    )
  cursor.at += found.length
  return name
}

function readKey(cursor: Cursor, form: '33 bytes' | 'x-only' = '33 bytes'): KeyExpression {
  const { text, at } = cursor
  const length = text.slice(at).search(/[,(){}]/)
  cursor.at = length === -1 ? text.length : at + length
  if (text[cursor.at] === '(')
    throw new InvalidDescriptorError('syntax', at, 'expected a key, found another expression')
  const key = parseKeyExpression(text.slice(at, cursor.at), at)
  if (key.type === 'plain' && key.isXOnly && form !== 'x-only')
    throw new InvalidDescriptorError('key', at, 'expected a key of 33 bytes, found one of 32')
  return key
}

function closed<T>(cursor: Cursor, read: T): T {
  if (cursor.text[cursor.at] !== ')')
    throw new InvalidDescriptorError('syntax', cursor.at, 'expected a closing bracket')
  cursor.at++
  return read
}

function single(addressType: AddressType, key: KeyExpression): SingleKeyDescriptor {
  return { type: 'single', addressType, key }
}

function unsupported(name: string, at: number): InvalidDescriptorError {
  const isKnown = OTHERS.test(name) || /^(?:pkh|wpkh|sh|wsh|tr)$/.test(name)
  return new InvalidDescriptorError(
    isKnown ? 'unsupported' : 'syntax',
    at,
    `${isKnown ? `${name}() is not understood here` : 'an unknown expression'}: expected pkh, wpkh, sh(wpkh), tr, or multi or sortedmulti in sh, wsh, sh(wsh) or tr`,
  )
}

/** BIP-389 wants as many branches in each key; and keys of both spaces are a mistake. */
function expectOneKind(descriptor: Descriptor): void {
  const keys = listDescriptorKeys(descriptor)
  if (new Set(keys.map(countKeyBranches).filter(isNumber)).size > 1)
    throw new InvalidDescriptorError('syntax', 0, 'expected as many branches in each key')
  if (new Set(keys.map(spaceOf).filter(isSpace)).size > 1)
    throw new InvalidDescriptorError(
      'key',
      0,
      'expected all keys of mainnet or all of test networks, found both',
    )
}

function formatScript(descriptor: Descriptor): string {
  if (descriptor.type === 'single') {
    const key = formatKeyExpression(descriptor.key)
    const { addressType } = descriptor
    if (addressType === 'p2sh-p2wpkh') return `sh(wpkh(${key}))`
    return `${{ p2pkh: 'pkh', p2wpkh: 'wpkh', p2tr: 'tr' }[addressType]}(${key})`
  }
  const { script, threshold, keys, isSorted, internalKey } = descriptor
  const name = `${isSorted ? 'sortedmulti' : 'multi'}${script === 'p2tr' ? '_a' : ''}`
  const multi = `${name}(${[threshold, ...keys.map(formatKeyExpression)].join(',')})`
  if (internalKey) return `tr(${formatKeyExpression(internalKey)},${multi})`
  if (script === 'p2sh-p2wsh') return `sh(wsh(${multi}))`
  return `${script === 'p2sh' ? 'sh' : 'wsh'}(${multi})`
}

/** The first key, with both numbers in the step in which the second differs. */
function joinKeys(key: KeyExpression, other: KeyExpression | undefined): KeyExpression {
  if (key.type === 'plain' || other?.type !== 'extended') return key
  const steps = key.steps.map((step, i) => {
    const second = other.steps[i]
    const isOther = typeof step === 'number' && typeof second === 'number' && step !== second
    return isOther ? [step, second] : step
  })
  // Two steps of one key cannot both have branches.
  return steps.filter(step => typeof step !== 'number').length > 1 ? key : { ...key, steps }
}

function spaceOf(key: KeyExpression): KeySpace | null {
  return key.type === 'extended' ? key.key.space : null
}

function isNumber(value: number | null): value is number {
  return value !== null
}

function isSpace(value: KeySpace | null): value is KeySpace {
  return value !== null
}

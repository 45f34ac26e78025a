// Key expressions of BIP-380 and BIP-389: `[d34db33f/84h/0h/0h]xpub…/<0;1>/*`. Only what public keys can do is understood:
// hardened steps below an extended public key, and private keys, are refused.

import { fromHex, toHex } from '../bytes.ts'
import { HARDENED, type KeyOrigin } from '../key-origin.ts'
import { isXOnlyPoint } from '../secp256k1.ts'
import { InvalidDescriptorError } from './descriptor-checksum.ts'
import {
  deriveExtendedKey,
  type ExtendedKey,
  fingerprintOf,
  formatExtendedKey,
  InvalidExtendedKeyError,
  looksLikeExtendedKey,
  parseExtendedKey,
} from './extended-key.ts'

/** A step below an extended key: one child number, or those of BIP-389, one for each branch. */
export type KeyStep = number | readonly number[]

export type ExtendedKeyExpression = {
  type: 'extended'
  origin: KeyOrigin | null
  key: ExtendedKey
  /** Unhardened; at most one step has several numbers. */
  steps: readonly KeyStep[]
  /** Whether it ends in `/*`, and stands for a key at each index. */
  isRanged: boolean
}

export type PlainKeyExpression = {
  type: 'plain'
  origin: KeyOrigin | null
  /** 33 bytes; those of an x-only key begin with 2. */
  publicKey: Uint8Array
  /** Whether it is written as the 32 bytes of BIP-340. */
  isXOnly: boolean
}

export type KeyExpression = ExtendedKeyExpression | PlainKeyExpression

/** A key of a script, of 33 bytes, and where it comes from. */
export type OriginatedPublicKey = { publicKey: Uint8Array; origin: KeyOrigin }

const MAX_DEPTH = 255

/** Reads a key expression; throws {@link InvalidDescriptorError}, whose position counts from `offset`. */
export function parseKeyExpression(text: string, offset = 0): KeyExpression {
  const { origin, length } = readOrigin(text, offset)
  const stray = text.slice(length).search(/[[\]]/)
  if (stray !== -1)
    throw new InvalidDescriptorError(
      'syntax',
      offset + length + stray,
      'expected one key origin in brackets, before the key',
    )
  const [key = '', ...steps] = text.slice(length).split('/')
  const at = offset + length
  if (looksLikeExtendedKey(key)) {
    const extendedKey = readExtendedKey(key, at)
    const path = readSteps(steps, at + key.length)
    if (extendedKey.depth + path.steps.length + 1 > MAX_DEPTH)
      throw new InvalidDescriptorError('syntax', at, `expected a depth of at most ${MAX_DEPTH}`)
    return { type: 'extended', origin, key: extendedKey, ...path }
  }
  const plain = readPlainKey(key, at)
  if (steps.length > 0)
    throw new InvalidDescriptorError(
      'syntax',
      at + key.length,
      'expected a path below an extended key only',
    )
  return { type: 'plain', origin, ...plain }
}

/** A key expression as Bitcoin Core writes it, hardened steps with `h`. */
export function formatKeyExpression(expression: KeyExpression): string {
  const origin = expression.origin ? formatOrigin(expression.origin) : ''
  if (expression.type === 'plain')
    return origin + toHex(expression.publicKey).slice(expression.isXOnly ? 2 : 0)
  const steps = expression.steps.map(step =>
    typeof step === 'number' ? `/${step}` : `/<${step.join(';')}>`,
  )
  return (
    origin + formatExtendedKey(expression.key) + steps.join('') + (expression.isRanged ? '/*' : '')
  )
}

/** How many branches an expression has; null where it does not name any. */
export function countKeyBranches(expression: KeyExpression): number | null {
  if (expression.type === 'plain') return null
  for (const step of expression.steps) if (typeof step !== 'number') return step.length
  return null
}

/**
 * The key of a branch and index, and its origin as Bitcoin Core gives it: without brackets an expression's own key is the
 * master key.
 */
export function deriveKeyExpression(
  expression: KeyExpression,
  { branch, index }: { branch: number; index: number },
): OriginatedPublicKey {
  const { origin } = expression
  if (expression.type === 'plain') {
    const { publicKey } = expression
    return { publicKey, origin: origin ?? { fingerprint: fingerprintOf(expression), path: [] } }
  }
  const { key, steps, isRanged } = expression
  const path = steps.map(step => (typeof step === 'number' ? step : (step[branch] ?? Number.NaN)))
  if (isRanged) path.push(index)
  const { publicKey } = deriveExtendedKey(key, path)
  const { fingerprint, path: above } = origin ?? { fingerprint: fingerprintOf(key), path: [] }
  return { publicKey, origin: { fingerprint, path: [...above, ...path] } }
}

function readOrigin(text: string, offset: number): { origin: KeyOrigin | null; length: number } {
  if (!text.startsWith('[')) return { origin: null, length: 0 }
  const end = text.indexOf(']')
  if (end === -1)
    throw new InvalidDescriptorError('syntax', offset, 'expected a key origin that ends in ]')
  const [fingerprint = '', ...steps] = text.slice(1, end).split('/')
  if (!/^[0-9a-fA-F]{8}$/.test(fingerprint))
    throw new InvalidDescriptorError(
      'syntax',
      offset + 1,
      'expected a fingerprint of 8 hex digits at the start of the key origin',
    )
  let at = offset + 1 + fingerprint.length
  const path = steps.map(step => {
    const { number, isHardened } = readNumber(step, at + 1)
    at += 1 + step.length
    return isHardened ? number + HARDENED : number
  })
  if (path.length > MAX_DEPTH)
    throw new InvalidDescriptorError('syntax', offset, `expected a depth of at most ${MAX_DEPTH}`)
  return { origin: { fingerprint: fingerprint.toLowerCase(), path }, length: end + 1 }
}

function formatOrigin({ fingerprint, path }: KeyOrigin): string {
  const steps = path.map(step => (step >= HARDENED ? `/${step - HARDENED}h` : `/${step}`))
  return `[${fingerprint}${steps.join('')}]`
}

function readExtendedKey(text: string, at: number): ExtendedKey {
  try {
    const { prefix, addressType: _, multisig: __, ...key } = parseExtendedKey(text)
    if (prefix === 'xpub' || prefix === 'tpub') return key
    throw new InvalidDescriptorError(
      'key',
      at,
      `expected a key written as xpub or tpub, found ${prefix}`,
    )
  } catch (cause) {
    if (!(cause instanceof InvalidExtendedKeyError)) throw cause
    const problem = cause.problem === 'private' ? 'private' : 'key'
    throw new InvalidDescriptorError(problem, at, cause.message, { cause })
  }
}

function readPlainKey(text: string, at: number): { publicKey: Uint8Array; isXOnly: boolean } {
  if (/^(?:5[1-9A-HJ-NP-Za-km-z]{50}|[KL9c][1-9A-HJ-NP-Za-km-z]{50,51})$/.test(text))
    throw new InvalidDescriptorError('private', at, 'expected a public key, found a private one')
  if (/^0[467][0-9a-fA-F]{128}$/.test(text))
    throw new InvalidDescriptorError('key', at, 'expected a key of 33 bytes, found an uncompressed')
  const isXOnly = /^[0-9a-fA-F]{64}$/.test(text)
  if (!isXOnly && !/^0[23][0-9a-fA-F]{64}$/.test(text))
    throw new InvalidDescriptorError(
      'key',
      at,
      'expected an extended public key or a public key of 66 hex digits',
    )
  const publicKey = fromHex(isXOnly ? `02${text}` : text)
  if (!isXOnlyPoint(publicKey.subarray(1)))
    throw new InvalidDescriptorError('key', at, 'expected a point of the curve')
  return { publicKey, isXOnly }
}

function readSteps(
  texts: readonly string[],
  offset: number,
): { steps: KeyStep[]; isRanged: boolean } {
  const steps: KeyStep[] = []
  let at = offset
  for (const [i, text] of texts.entries()) {
    at++
    if (/^\*['h]?$/.test(text) && i === texts.length - 1) {
      if (text !== '*') throw hardened(at)
      return { steps, isRanged: true }
    }
    const step = text.startsWith('<') ? readTuple(text, at) : readStep(text, at)
    if (typeof step !== 'number' && steps.some(other => typeof other !== 'number'))
      throw new InvalidDescriptorError('syntax', at, 'expected branches in one step only')
    steps.push(step)
    at += text.length
  }
  return { steps, isRanged: false }
}

function readTuple(text: string, at: number): number[] {
  if (!text.endsWith('>'))
    throw new InvalidDescriptorError('syntax', at, 'expected branches that end in >')
  let place = at + 1
  const numbers = text
    .slice(1, -1)
    .split(';')
    .map(number => {
      const step = readStep(number, place)
      place += number.length + 1
      return step
    })
  if (numbers.length < 2 || new Set(numbers).size < numbers.length)
    throw new InvalidDescriptorError('syntax', at, 'expected branches that differ, such as <0;1>')
  return numbers
}

function readStep(text: string, at: number): number {
  const { number, isHardened } = readNumber(text, at)
  if (isHardened) throw hardened(at)
  return number
}

function readNumber(text: string, at: number): { number: number; isHardened: boolean } {
  const [, digits, mark] = /^(\d{1,10})(['h]?)$/.exec(text) ?? []
  const number = Number(digits)
  if (!(number < HARDENED))
    throw new InvalidDescriptorError(
      'syntax',
      at,
      'expected a step of a path, from 0 to 2147483647',
    )
  return { number, isHardened: mark !== '' }
}

function hardened(at: number): InvalidDescriptorError {
  return new InvalidDescriptorError(
    'unsupported',
    at,
    'a hardened step below a public key needs the private key',
  )
}

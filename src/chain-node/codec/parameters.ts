import { ArgumentError, INVALID_PARAMS, RpcError } from '../rpc/rpc-error.ts'
import type { Hex } from './hex.ts'

// Texts are geth's: those of common/hexutil, and of Go's encoding/json around them.

/** A block by its height; `safe` and `finalized` are the latest where one producer makes all blocks. */
export type BlockTag =
  | { readonly tag: 'earliest' | 'latest' | 'pending' }
  | { readonly number: bigint }

/** A block by its height or its hash (EIP-1898). */
export type BlockId = BlockTag | { readonly hash: Hex }

/** 20 bytes, in lower case whatever the caller's case. */
export function readAddress(value: unknown): Hex {
  return readFixed(value, 20, 'common.Address')
}

/** 32 bytes, in lower case. */
export function readHash(value: unknown): Hex {
  return readFixed(value, 32, 'common.Hash')
}

/** DATA; as in geth also the empty string, for no bytes. */
export function readData(value: unknown): Uint8Array {
  const digits = readDigits(value, 'hexutil.Bytes')
  if (digits.length % 2 !== 0) throw unreadable('hex string of odd length', 'hexutil.Bytes')
  if (!HEX_DIGITS.test(digits)) throw unreadable('invalid hex string', 'hexutil.Bytes')
  return new Uint8Array(Buffer.from(digits, 'hex'))
}

/** QUANTITY of at most 256 bits. */
export function readQuantity(value: unknown): bigint {
  return readNumber(value, 256, '*hexutil.Big')
}

/** QUANTITY of at most 64 bits. */
export function readUint64(value: unknown): bigint {
  return readNumber(value, 64, 'hexutil.Uint64')
}

/** QUANTITY that counts from zero; beyond 2^53 it is not exact, and higher than any index. */
export function readIndex(value: unknown): number {
  return Number(readNumber(value, 64, 'hexutil.Uint'))
}

export function readBoolean(value: unknown): boolean {
  if (typeof value !== 'boolean') throw unreadable(nameKind(value), 'bool')
  return value
}

export function readString(value: unknown): string {
  if (typeof value !== 'string') throw unreadable(nameKind(value), 'string')
  return value
}

/**
 * A storage position: up to 32 bytes in hexadecimal, with or without `0x`, an odd number of digits too.
 *
 * @returns 32 bytes
 */
export function readStorageSlot(value: unknown): Uint8Array {
  const text = readString(value)
  const digits = hasPrefix(text) ? text.slice(2) : text
  if (digits.length > 64) {
    throw new RpcError(
      INVALID_PARAMS,
      `storage key too long (want at most 32 bytes): ${quote(text)}`,
    )
  }
  if (!HEX_DIGITS.test(digits)) {
    throw new RpcError(INVALID_PARAMS, `invalid hex in storage key: ${quote(text)}`)
  }
  return new Uint8Array(Buffer.from(digits.padStart(64, '0'), 'hex'))
}

/** A height in hexadecimal or a tag. */
export function readBlockNumber(value: unknown): BlockTag {
  return readTag(value, 'block number larger than int64')
}

/** A height, a tag, a hash of 66 characters, or EIP-1898's object. */
export function readBlockId(value: unknown): BlockId {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return readBlockObject(value)
  }
  if (typeof value !== 'string') throw unreadable(nameKind(value), 'string')
  if (value.length === 66) {
    const digits = stripPrefix(value)
    if (!HEX_DIGITS.test(digits)) throw new ArgumentError('invalid hex string')
    return { hash: `0x${digits.toLowerCase()}` }
  }
  return readTag(value, 'blocknumber too high')
}

const HEX_DIGITS = /^[0-9a-fA-F]*$/
const HIGHEST_BLOCK = 2n ** 63n - 1n

const TAGS: ReadonlyMap<unknown, BlockTag> = new Map([
  ['earliest', { tag: 'earliest' }],
  ['latest', { tag: 'latest' }],
  ['pending', { tag: 'pending' }],
  ['safe', { tag: 'latest' }],
  ['finalized', { tag: 'latest' }],
] as const)

function readTag(value: unknown, tooHigh: string): BlockTag {
  const tag = TAGS.get(value)
  if (tag) return tag
  if (value === '') throw new ArgumentError('empty hex string')
  const fault = findNumberFault(value, 64)
  if (fault !== null) throw new ArgumentError(fault === NOT_TEXT ? MISSING_PREFIX : fault)
  const number = BigInt(String(value))
  if (number > HIGHEST_BLOCK) throw new ArgumentError(tooHigh)
  return { number }
}

/** Go's names of fields know no case; `requireCanonical` says nothing on a chain without forks. */
function readBlockObject(value: object): BlockId {
  let number: unknown = null
  let hash: unknown = null
  for (const [key, field] of Object.entries(value)) {
    const name = key.toLowerCase()
    if (name === 'blocknumber') number = field
    if (name === 'blockhash') hash = field
  }
  if (number !== null && hash !== null) {
    throw new ArgumentError(
      'cannot specify both BlockHash and BlockNumber, choose one or the other',
    )
  }
  if (hash !== null) return { hash: readHash(hash) }
  if (number !== null) return readBlockNumber(number)
  throw new ArgumentError('invalid arguments; neither block nor hash specified')
}

function readFixed(value: unknown, size: number, type: string): Hex {
  const digits = readDigits(value, type)
  if (digits.length % 2 !== 0) throw unreadable('hex string of odd length', type)
  if (digits.length !== 2 * size) {
    throw new ArgumentError(`hex string has length ${digits.length}, want ${2 * size} for ${type}`)
  }
  if (!HEX_DIGITS.test(digits)) throw unreadable('invalid hex string', type)
  return `0x${digits.toLowerCase()}`
}

function readDigits(value: unknown, type: string): string {
  if (typeof value !== 'string') throw unreadable(NOT_TEXT, type)
  if (value === '') return ''
  if (!hasPrefix(value)) throw unreadable(MISSING_PREFIX, type)
  return value.slice(2)
}

const NOT_TEXT = 'non-string'
const MISSING_PREFIX = 'hex string without 0x prefix'

function readNumber(value: unknown, bits: 64 | 256, type: string): bigint {
  const fault = findNumberFault(value, bits)
  if (fault !== null) throw unreadable(fault, type)
  return BigInt(String(value))
}

/** What is wrong with a QUANTITY; geth takes the empty string for zero where a field is asked for, which helps nobody. */
function findNumberFault(value: unknown, bits: 64 | 256): string | null {
  if (typeof value !== 'string') return NOT_TEXT
  if (value === '') return 'empty hex string'
  if (!hasPrefix(value)) return MISSING_PREFIX
  const digits = value.length - 2
  if (digits === 0) return 'hex string "0x"'
  if (digits > 1 && value[2] === '0') return 'hex number with leading zero digits'
  if (digits > bits / 4) return `hex number > ${bits} bits`
  return HEX_DIGITS.test(value.slice(2)) ? null : 'invalid hex string'
}

function hasPrefix(text: string): boolean {
  return text.startsWith('0x') || text.startsWith('0X')
}

function stripPrefix(text: string): string {
  if (!hasPrefix(text)) throw new ArgumentError(MISSING_PREFIX)
  return text.slice(2)
}

/** JSON's kinds under Go's names. */
export function nameKind(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** In Go's quotes, and no longer than what helps. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
}

function unreadable(fault: string, type: string): ArgumentError {
  return new ArgumentError(`json: cannot unmarshal ${fault} into Go value of type ${type}`)
}

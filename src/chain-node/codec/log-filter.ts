import { ArgumentError, LIMIT_EXCEEDED, RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import { type Fields, readFields } from './fields.ts'
import type { Hex } from './hex.ts'
import { type BlockTag, nameKind, readBlockNumber, readHash } from './parameters.ts'

/** Which logs of a block are meant. */
export interface LogCriteria {
  /** Any of them; none stands for every address. */
  readonly addresses: readonly Hex[]
  /** By position, any of those named there; an empty position stands for every topic. */
  readonly topics: readonly (readonly Hex[])[]
}

/** The specification's log filter object: one block, or a range that holds both ends. */
export type LogFilter = LogCriteria &
  ({ readonly blockHash: Hex } | { readonly from: BlockTag; readonly to: BlockTag })

/** A log has no more topics than this (yellow paper, LOG0 to LOG4). */
const MAX_TOPICS = 4
const MAX_ALTERNATIVES = 1000

const LATEST: BlockTag = { tag: 'latest' }

/**
 * Reads the specification's log filter object, of which every field may be missing or null. Names of fields are taken in
 * any case, the last of two that are the same, and others are passed over, as Go's JSON does for geth.
 * Throws `ArgumentError` with geth's text, and `RpcError` beyond the limits.
 */
export function readLogFilter(value: unknown): LogFilter {
  const fields = readFields(value, 'filters.input')
  const blockHash = readField(fields, 'blockhash', readHash)
  const from = readField(fields, 'fromblock', readBlockNumber)
  const to = readField(fields, 'toblock', readBlockNumber)
  if (blockHash && (from || to)) {
    throw new ArgumentError(
      'cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other',
    )
  }
  const criteria = {
    addresses: readField(fields, 'address', readAddresses) ?? [],
    topics: readField(fields, 'topics', readTopics) ?? [],
  }
  return blockHash
    ? { blockHash, ...criteria }
    : { from: from ?? LATEST, to: to ?? LATEST, ...criteria }
}

/** Tells whether a log is meant. One with fewer topics than there are positions never is, as in geth. */
export function createLogMatcher(
  criteria: LogCriteria,
): (log: { readonly address: Hex; readonly topics: readonly Hex[] }) => boolean {
  const addresses = new Set(criteria.addresses)
  const positions = criteria.topics.map(alternatives => new Set(alternatives))
  return log =>
    (addresses.size === 0 || addresses.has(log.address)) &&
    positions.every((alternatives, position) => {
      const topic = log.topics[position]
      return topic !== undefined && (alternatives.size === 0 || alternatives.has(topic))
    })
}

function readField<T>(fields: Fields, name: string, read: (value: unknown) => T): T | null {
  const value = fields.get(name)
  return value === undefined || value === null ? null : read(value)
}

function readAddresses(value: unknown): Hex[] {
  if (typeof value === 'string') {
    return [readBytes(value, 20, 'address', 'invalid address: ')]
  }
  if (!Array.isArray(value)) throw new ArgumentError('invalid addresses in query')
  if (value.length > MAX_ALTERNATIVES) throwTooMany()
  return value.map((address, index) => {
    if (typeof address !== 'string') throw new ArgumentError(`non-string address at index ${index}`)
    return readBytes(address, 20, 'address', `invalid address at index ${index}: `)
  })
}

function readTopics(value: unknown): Hex[][] {
  if (!Array.isArray(value)) {
    throw new ArgumentError(
      `json: cannot unmarshal ${nameKind(value)} into Go struct field input.topics of type []interface {}`,
    )
  }
  if (value.length > MAX_TOPICS) throw new RpcError(SERVER_ERROR, 'exceed max topics')
  return value.map(readAlternatives)
}

function readAlternatives(value: unknown): Hex[] {
  if (value === null) return []
  if (!Array.isArray(value)) return [readTopic(value)]
  if (value.length > MAX_ALTERNATIVES) throwTooMany()
  const wildcard = value.indexOf(null)
  if (wildcard >= 0) {
    for (const topic of value.slice(0, wildcard)) readTopic(topic)
    return []
  }
  return value.map(readTopic)
}

function readTopic(value: unknown): Hex {
  if (typeof value !== 'string') throw new ArgumentError('invalid topic(s)')
  return readBytes(value, 32, 'topic', '')
}

function readBytes(text: string, length: number, noun: string, before: string): Hex {
  const fault = describeFault(text, length, noun)
  if (fault) throw new ArgumentError(`${before}${fault}`)
  return `0x${text.slice(2).toLowerCase()}`
}

/** What geth's `hexutil.Decode` says of a text, and its filters of the length. */
function describeFault(text: string, length: number, noun: string): string | null {
  if (text === '') return 'empty hex string'
  if (!/^0x/i.test(text)) return 'hex string without 0x prefix'
  const digits = text.slice(2)
  if (!/^[0-9a-f]*$/i.test(digits)) return 'invalid hex string'
  if (digits.length % 2 === 1) return 'hex string of odd length'
  const found = digits.length / 2
  if (found === length) return null
  return `hex has invalid length ${found} after decoding; expected ${length} for ${noun}`
}

function throwTooMany(): never {
  throw new RpcError(LIMIT_EXCEEDED, 'exceed max addresses or topics per search position')
}

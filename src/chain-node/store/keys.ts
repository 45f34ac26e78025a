import { decodeHex, type Hex } from '../codec/hex.ts'

/**
 * The keys of the store: one letter, then fixed lengths, so that the order of the bytes is the order of the blocks. Heights
 * have 8 bytes, indexes 4, big-endian both.
 *
 * | key                                         | value                                                     |
 * |---------------------------------------------|-----------------------------------------------------------|
 * | `n` hash                                    | node of a trie, or code                                   |
 * | `i` block hash                              | height                                                    |
 * | `h` height                                  | header with total difficulty, JSON of header-record.ts    |
 * | `j` height                                  | block as JSON, without its transactions                   |
 * | `b` height                                  | block as RLP                                              |
 * | `s` height                                  | senders, 20 bytes a transaction                           |
 * | `x` height                                  | transaction hashes, 32 bytes each                         |
 * | `t` transaction hash                        | height, index in the block, transaction as JSON           |
 * | `r` transaction hash                        | height, where the logs begin in the text, receipt as JSON |
 * | `l` height, log index                       | log, as in log-record.ts                                  |
 * | `a` address, height, log index              | nothing                                                   |
 * | `p` position (1), topic, height, log index  | nothing                                                   |
 * | `m` `layout`                                | version of all this, and the shape of the JSON            |
 * | `m` `head`                                  | height of the head                                        |
 *
 * JSON is in the shape that the folder was made with. The genesis is height zero, or the block of a fork. Other letters belong to other parts of
 * the node: the pool has `q`, snapshots have `d`, what a fork knows of its remote chain has `f`.
 */
export const LAYOUT = 1

export const LAYOUT_KEY = Buffer.from('mlayout')
export const HEAD_KEY = Buffer.from('mhead')

export function stateKey(hash: Uint8Array): Buffer {
  const key = Buffer.allocUnsafe(1 + hash.length)
  key[0] = LETTERS.state
  key.set(hash, 1)
  return key
}

export const blockHashKey = (hash: Hex) => hashKey(LETTERS.blockHash, hash)
export const transactionKey = (hash: Hex) => hashKey(LETTERS.transaction, hash)
export const receiptKey = (hash: Hex) => hashKey(LETTERS.receipt, hash)

export const headerKey = (number: bigint) => heightKey(LETTERS.header, number)
export const blockJsonKey = (number: bigint) => heightKey(LETTERS.blockJson, number)
export const blockRlpKey = (number: bigint) => heightKey(LETTERS.blockRlp, number)
export const sendersKey = (number: bigint) => heightKey(LETTERS.senders, number)
export const transactionHashesKey = (number: bigint) => heightKey(LETTERS.transactionHashes, number)

/** Before the key of a log, or of its entry in an index: letter, and what the index is by. */
export const LOGS = Buffer.from('l')

export function addressIndex(address: Hex): Buffer {
  return Buffer.concat([Buffer.from('a'), decodeHex(address)])
}

export function topicIndex(position: number, topic: Hex): Buffer {
  return Buffer.concat([Buffer.from('p'), Buffer.from([position]), decodeHex(topic)])
}

/** A log's key under one of the prefixes; the least one of a block where no index is given. */
export function logKey(prefix: Uint8Array, number: bigint, logIndex = 0): Buffer {
  const key = Buffer.allocUnsafe(prefix.length + LOG_PLACE)
  key.set(prefix)
  key.writeBigUInt64BE(number, prefix.length)
  key.writeUInt32BE(logIndex, prefix.length + 8)
  return key
}

/** The key of the log itself, from its key in any index. */
export function storedLogKey(indexKey: Uint8Array): Buffer {
  return Buffer.concat([LOGS, indexKey.subarray(indexKey.length - LOG_PLACE)])
}

export function readLogHeight(key: Uint8Array): bigint {
  return readHeight(key.subarray(key.length - LOG_PLACE))
}

export function writeHeight(number: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigUInt64BE(number)
  return bytes
}

/** The first 8 bytes. */
export function readHeight(bytes: Uint8Array): bigint {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).readBigUInt64BE()
}

const LOG_PLACE = 12

const LETTERS = {
  state: letter('n'),
  blockHash: letter('i'),
  header: letter('h'),
  blockJson: letter('j'),
  blockRlp: letter('b'),
  senders: letter('s'),
  transactionHashes: letter('x'),
  transaction: letter('t'),
  receipt: letter('r'),
}

function letter(text: string): number {
  return text.charCodeAt(0)
}

function hashKey(first: number, hash: Hex): Buffer {
  const key = Buffer.allocUnsafe(33)
  key[0] = first
  key.write(hash.slice(2), 1, 'hex')
  return key
}

function heightKey(first: number, number: bigint): Buffer {
  const key = Buffer.allocUnsafe(9)
  key[0] = first
  key.writeBigUInt64BE(number, 1)
  return key
}

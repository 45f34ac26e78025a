import { encodeHex, type Hex } from '../codec/hex.ts'
import type { Block } from '../engine/block.ts'
import type { Engine } from '../engine/engine.ts'
import { joinTransactions, quoteHash } from '../json/block-json.ts'
import { cutLogs } from '../json/receipt-json.ts'
import { createCache } from '../store/cache.ts'
import {
  blockHashKey,
  blockJsonKey,
  blockRlpKey,
  HEAD_KEY,
  headerKey,
  readHeight,
  receiptKey,
  sendersKey,
  transactionHashesKey,
  transactionKey,
} from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import type { Chain } from './chain.ts'
import { decodeHeader, type HeaderRecord } from './header-record.ts'
import { decodeReceipt, decodeTransaction } from './transaction-record.ts'

type Reads = Pick<
  Chain,
  | 'findHeader'
  | 'findBlock'
  | 'blockRlp'
  | 'blockJson'
  | 'countTransactions'
  | 'totalDifficulty'
  | 'findTransaction'
  | 'transactionJson'
  | 'transactionJsonAt'
  | 'receiptJson'
  | 'transactionLogsJson'
>

/** What stays in memory at most: headers, bytes of blocks with what is decoded of them, characters of JSON. */
const CACHED_HEADERS = 4096
const CACHED_BLOCKS = 64 * 2 ** 20
const CACHED_TEXT = 16 * 2 ** 20

/** The height and difficulty of the last block; null where the store is empty. */
export function readHead(store: Store): HeaderRecord | null {
  const height = store.get(HEAD_KEY)
  return height ? readHeaderRecord(store, readHeight(height)) : null
}

export function readHeaderRecord(store: Store, height: bigint): HeaderRecord {
  return decodeHeader(need(store, headerKey(height)))
}

/**
 * Reads of blocks up to the head: a block that is just being written is not seen before it is the head.
 *
 * @param readCurrent - the head
 * @param first - height of the genesis
 */
export function createBlockReader(
  store: Store,
  engine: Pick<Engine, 'restoreBlock'>,
  readCurrent: () => HeaderRecord,
  first = 0n,
): {
  reads: Reads
  remember: (block: Block, record: HeaderRecord) => void
  /** Forgets what was read: the store has other blocks now. */
  forget: () => void
} {
  let records = createCache<bigint, HeaderRecord>(CACHED_HEADERS)
  let blocks = createCache<bigint, Block>(CACHED_BLOCKS, measureBlock)
  let texts = createCache<string, string>(CACHED_TEXT, text => text.length)

  function findHeight(id: bigint | Hex): bigint | null {
    const current = readCurrent().header
    if (id === current.hash) return current.number
    const height = typeof id === 'bigint' ? id : readHeightOf(id)
    return height === null || height < first || height > current.number ? null : height
  }

  function readHeightOf(hash: Hex): bigint | null {
    const bytes = store.get(blockHashKey(hash))
    return bytes ? readHeight(bytes) : null
  }

  function readRecord(height: bigint): HeaderRecord {
    const known = records.get(height)
    if (known) return known
    const record = readHeaderRecord(store, height)
    records.set(height, record)
    return record
  }

  function readBlock(height: bigint): Block {
    const known = blocks.get(height)
    if (known) return known
    const senders = split(need(store, sendersKey(height)), 20)
    const block = engine.restoreBlock(need(store, blockRlpKey(height)), senders)
    blocks.set(height, block)
    return block
  }

  function readBlockJson(height: bigint, withTransactions: boolean): string {
    const hashes = split(need(store, transactionHashesKey(height)), 32)
    return joinTransactions(
      readText(need(store, blockJsonKey(height))),
      withTransactions ? hashes.map(hash => readTransaction(hash).json) : hashes.map(quoteHash),
    )
  }

  function readTransaction(hash: Hex) {
    return decodeTransaction(need(store, transactionKey(hash)))
  }

  function findStored<T extends { readonly height: bigint }>(
    key: Uint8Array,
    decode: (bytes: Uint8Array) => T,
  ): T | null {
    const bytes = store.get(key)
    const record = bytes ? decode(bytes) : null
    return record && record.height <= readCurrent().header.number ? record : null
  }

  const reads: Reads = {
    findHeader(id) {
      const height = findHeight(id)
      return height === null ? null : readRecord(height).header
    },
    findBlock(id) {
      const height = findHeight(id)
      return height === null ? null : readBlock(height)
    },
    blockRlp(id) {
      const height = findHeight(id)
      return height === null ? null : need(store, blockRlpKey(height))
    },
    blockJson(id, withTransactions) {
      const height = findHeight(id)
      if (height === null) return null
      const key = `${height} ${withTransactions}`
      const known = texts.get(key)
      if (known) return known
      const text = readBlockJson(height, withTransactions)
      texts.set(key, text)
      return text
    },
    countTransactions(id) {
      const height = findHeight(id)
      return height === null ? null : need(store, transactionHashesKey(height)).length / 32
    },
    totalDifficulty: header => readRecord(header.number).totalDifficulty,
    findTransaction(hash) {
      const record = findStored(transactionKey(hash), decodeTransaction)
      if (!record) return null
      const { header, transactions } = readBlock(record.height)
      const transaction = transactions[record.index]
      return transaction ? { transaction, header, index: record.index } : null
    },
    transactionJson: hash => findStored(transactionKey(hash), decodeTransaction)?.json ?? null,
    transactionJsonAt(id, index) {
      const height = findHeight(id)
      if (height === null) return null
      const hash = split(need(store, transactionHashesKey(height)), 32)[index]
      return hash ? readTransaction(hash).json : null
    },
    receiptJson: hash => findStored(receiptKey(hash), decodeReceipt)?.json ?? null,
    transactionLogsJson(hash) {
      const record = findStored(receiptKey(hash), decodeReceipt)
      return record ? cutLogs(record.json, record.logsStart) : null
    },
  }

  return {
    reads,
    remember(block, record) {
      records.set(block.header.number, record)
      blocks.set(block.header.number, block)
    },
    forget() {
      records = createCache(CACHED_HEADERS)
      blocks = createCache(CACHED_BLOCKS, measureBlock)
      texts = createCache(CACHED_TEXT, text => text.length)
    },
  }
}

/** About: a decoded transaction takes its bytes twice, and a kilobyte of objects. */
function measureBlock({ rlp, transactions }: Block): number {
  return 2000 + 2 * rlp.length + 1000 * transactions.length
}

function need(store: Store, key: Uint8Array): Uint8Array {
  const value = store.get(key)
  if (value) return value
  const name = Buffer.from(key)
  throw new Error(
    `The store is damaged: it has no ${name.toString('latin1', 0, 1)} ${name.toString('hex', 1)}.`,
  )
}

function readText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

function split(bytes: Uint8Array, size: number): Hex[] {
  const parts: Hex[] = []
  for (let start = 0; start < bytes.length; start += size) {
    parts.push(encodeHex(bytes.subarray(start, start + size)))
  }
  return parts
}

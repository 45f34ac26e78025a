import type { AppendedBlock, Chain, StoredLog } from '../chain/chain.ts'
import type { Hex } from '../codec/hex.ts'
import type { Header } from '../engine/block.ts'
import type { Transaction } from '../engine/transaction.ts'
import type { Pool } from '../pool/pool.ts'

/** Blocks and transactions as a chain and a pool tell of them, with made-up contents. */
export interface Feed {
  readonly chain: Pick<Chain, 'onAppend' | 'shape'>
  readonly pool: Pick<Pool, 'onPending'>
  /** The next block; blocks begin at 1. */
  append(logs?: readonly StoredLog[], transactions?: readonly Transaction[]): AppendedBlock
  makePending(): Transaction
  countListeners(): number
}

export function createFeed(): Feed {
  const blocks = new Set<(block: AppendedBlock) => void>()
  const pending = new Set<(transaction: Transaction) => void>()
  let number = 0
  let nonce = 0
  return {
    chain: {
      shape: 'specified',
      onAppend(listener) {
        blocks.add(listener)
        return () => blocks.delete(listener)
      },
    },
    pool: {
      onPending(listener) {
        pending.add(listener)
        return () => pending.delete(listener)
      },
    },
    append(logs = [], transactions = []) {
      number += 1
      const block: AppendedBlock = {
        block: { header: createHeader(number), transactions, uncles: [], rlp: new Uint8Array() },
        receipts: [],
        writes: [],
        logs,
      }
      for (const listener of blocks) listener(block)
      return block
    },
    makePending() {
      const transaction = createTransaction(nonce++)
      for (const listener of pending) listener(transaction)
      return transaction
    },
    countListeners: () => blocks.size + pending.size,
  }
}

/** A log whose text says what it is: the address and the topics. */
export function createLog(address: number, ...topics: Hex[]): StoredLog {
  const names = topics.map(topic => Number(topic))
  return { address: createAddress(address), topics, json: `"${address}:${names}"` }
}

/** 32 bytes that end in a number. */
export function createHash(end: number): Hex {
  return `0x${end.toString(16).padStart(64, '0')}`
}

/** 20 bytes that end in a number. */
export function createAddress(end: number): Hex {
  return `0x${end.toString(16).padStart(40, '0')}`
}

export function createHeader(number: number): Header {
  return {
    hash: createHash(number),
    parentHash: createHash(number - 1),
    uncleHash: createHash(0xa1),
    miner: createAddress(0xb1),
    stateRoot: createHash(0xa2),
    transactionsRoot: createHash(0xa3),
    receiptsRoot: createHash(0xa4),
    logsBloom: `0x${'00'.repeat(256)}`,
    difficulty: 0n,
    number: BigInt(number),
    gasLimit: 30_000_000n,
    gasUsed: 21_000n,
    timestamp: 1_700_000_000n + BigInt(number),
    extraData: '0x',
    mixHash: createHash(0),
    nonce: '0x0000000000000000',
  }
}

export function createTransaction(nonce: number): Transaction {
  return {
    hash: createHash(0x1000000 + nonce),
    type: 0,
    chainId: 66n,
    nonce: BigInt(nonce),
    from: createAddress(1),
    to: createAddress(2),
    value: 1n,
    gas: 21_000n,
    gasPrice: 100_000_000n,
    input: new Uint8Array(),
    v: 168n,
    r: 1n,
    s: 2n,
    raw: new Uint8Array(),
  }
}

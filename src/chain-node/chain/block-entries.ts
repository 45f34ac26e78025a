import { decodeHex } from '../codec/hex.ts'
import type { Block, ExecutedBlock, Header, Receipt } from '../engine/block.ts'
import { blockFieldsJson } from '../json/block-json.ts'
import { logJson } from '../json/log-json.ts'
import { findLogs, receiptJson } from '../json/receipt-json.ts'
import type { Shape } from '../json/shape.ts'
import { minedTransactionJson } from '../json/transaction-json.ts'
import {
  addressIndex,
  blockHashKey,
  blockJsonKey,
  blockRlpKey,
  HEAD_KEY,
  headerKey,
  LOGS,
  logKey,
  receiptKey,
  sendersKey,
  stateKey,
  topicIndex,
  transactionHashesKey,
  transactionKey,
  writeHeight,
} from '../store/keys.ts'
import type { StoredEntry } from '../store/store.ts'
import type { StoredLog } from './chain.ts'
import { encodeHeader } from './header-record.ts'
import { encodeLog } from './log-record.ts'
import { encodeReceipt, encodeTransaction } from './transaction-record.ts'

/** Everything that the store gets when a block becomes the head, and its logs. */
export function listBlockEntries(
  executed: ExecutedBlock,
  totalDifficulty: bigint,
  shape: Shape,
): { entries: StoredEntry[]; logs: StoredLog[] } {
  const { block, receipts, writes } = executed
  const { number } = block.header
  const entries: StoredEntry[] = writes.map(({ hash, bytes }) => ({
    key: stateKey(hash),
    value: bytes,
  }))
  listHeadEntries(block, totalDifficulty, shape, entries)
  const logs: StoredLog[] = []
  block.transactions.forEach((transaction, index) => {
    const receipt = receipts[index]
    if (!receipt) throw new Error(`Transaction ${transaction.hash} has no receipt.`)
    const text = minedTransactionJson(transaction, block.header, index, shape)
    const texts = addLogs(receipt, index, block.header, shape, entries, logs)
    const receiptText = receiptJson(receipt, transaction, block.header, index, texts, shape)
    const logsStart = findLogs(receiptText, texts)
    entries.push(
      { key: transactionKey(transaction.hash), value: encodeTransaction(number, index, text) },
      {
        key: receiptKey(transaction.hash),
        value: encodeReceipt(number, logsStart, receiptText),
      },
    )
  })
  return { entries, logs }
}

function listHeadEntries(
  block: Block,
  totalDifficulty: bigint,
  shape: Shape,
  entries: StoredEntry[],
): void {
  const { header, transactions } = block
  const { number } = header
  const fields = blockFieldsJson(block, totalDifficulty, shape)
  const senders = transactions.map(({ from }) => decodeHex(from))
  const hashes = transactions.map(({ hash }) => decodeHex(hash))
  entries.push(
    { key: headerKey(number), value: encodeHeader({ header, totalDifficulty }) },
    { key: blockJsonKey(number), value: Buffer.from(fields) },
    { key: blockRlpKey(number), value: block.rlp },
    { key: sendersKey(number), value: Buffer.concat(senders) },
    { key: transactionHashesKey(number), value: Buffer.concat(hashes) },
    { key: blockHashKey(header.hash), value: writeHeight(number) },
    { key: HEAD_KEY, value: writeHeight(number) },
  )
}

/** @returns the transaction's logs as JSON texts */
function addLogs(
  receipt: Receipt,
  transactionIndex: number,
  header: Header,
  shape: Shape,
  entries: StoredEntry[],
  logs: StoredLog[],
): string[] {
  const { transactionHash } = receipt
  return receipt.logs.map(log => {
    const logIndex = logs.length
    const json = logJson(log, header, { transactionHash, transactionIndex, logIndex }, shape)
    logs.push({ address: log.address, topics: log.topics, json })
    const indexes = [
      addressIndex(log.address),
      ...log.topics.map((topic, i) => topicIndex(i, topic)),
    ]
    entries.push(
      { key: logKey(LOGS, header.number, logIndex), value: encodeLog(log, json) },
      ...indexes.map(index => ({ key: logKey(index, header.number, logIndex), value: NOTHING })),
    )
    return json
  })
}

const NOTHING = new Uint8Array()

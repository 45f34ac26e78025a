import { setImmediate } from 'node:timers/promises'
import { encodeHex, type Hex } from '../codec/hex.ts'
import {
  addressIndex,
  blockHashKey,
  blockJsonKey,
  blockRlpKey,
  headerKey,
  LOGS,
  logKey,
  readLogHeight,
  receiptKey,
  sendersKey,
  topicIndex,
  transactionHashesKey,
  transactionKey,
} from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import { decodeLog } from './log-record.ts'

/** Blocks whose keys are read in one go. */
const BLOCKS_A_TURN = 500

/**
 * The keys of all that a store has of the blocks after `height`, up to `head`, but of their states: nodes of tries and code may
 * be those of other blocks as well.
 *
 * @param findHash - of a block by its height; null for one that the store has nothing of
 */
export async function listBlockKeys(
  store: Store,
  height: bigint,
  head: bigint,
  findHash: (height: bigint) => Hex | null,
): Promise<Uint8Array[]> {
  const keys: Uint8Array[] = []
  for (let number = height + 1n; number <= head; number++) {
    if (number % BigInt(BLOCKS_A_TURN) === 0n) await setImmediate()
    const hash = findHash(number)
    if (hash === null) continue
    keys.push(
      headerKey(number),
      blockJsonKey(number),
      blockRlpKey(number),
      sendersKey(number),
      transactionHashesKey(number),
      blockHashKey(hash),
    )
    const hashes = store.get(transactionHashesKey(number)) ?? new Uint8Array()
    for (let start = 0; start < hashes.length; start += 32) {
      const transaction = encodeHex(hashes.subarray(start, start + 32))
      keys.push(transactionKey(transaction), receiptKey(transaction))
    }
  }
  for await (const { key, value } of store.iterate(
    logKey(LOGS, height + 1n),
    logKey(LOGS, head + 1n),
  )) {
    const { address, topics } = decodeLog(value)
    const number = readLogHeight(key)
    const index = Buffer.from(key).readUInt32BE(key.length - 4)
    keys.push(
      key,
      logKey(addressIndex(address), number, index),
      ...topics.map((topic, position) => logKey(topicIndex(position, topic), number, index)),
    )
  }
  return keys
}

import { decodeHex, encodeHex, type Hex } from '../codec/hex.ts'
import type { LogEntry } from '../engine/block.ts'
import type { StoredLog } from './chain.ts'

/** A log as the store has it: address, number of topics, topics, and its JSON text. */
export function encodeLog({ address, topics }: LogEntry, json: string): Uint8Array {
  return Buffer.concat([
    decodeHex(address),
    Buffer.from([topics.length]),
    ...topics.map(decodeHex),
    Buffer.from(json),
  ])
}

export function decodeLog(bytes: Uint8Array): StoredLog {
  const count = bytes[ADDRESS] ?? 0
  const end = ADDRESS + 1 + count * TOPIC
  const topics: Hex[] = []
  for (let start = ADDRESS + 1; start < end; start += TOPIC) {
    topics.push(encodeHex(bytes.subarray(start, start + TOPIC)))
  }
  return {
    address: encodeHex(bytes.subarray(0, ADDRESS)),
    topics,
    json: Buffer.from(bytes.subarray(end)).toString('latin1'),
  }
}

const ADDRESS = 20
const TOPIC = 32

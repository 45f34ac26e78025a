import { formatQuantity, type Hex } from '../codec/hex.ts'
import type { Header, LogEntry } from '../engine/block.ts'
import type { Shape } from './shape.ts'

/** Where a log lies in its block. */
export interface LogPlace {
  readonly transactionHash: Hex
  readonly transactionIndex: number
  /** Counted through the whole block. */
  readonly logIndex: number
}

export function logJson(log: LogEntry, header: Header, place: LogPlace, shape: Shape): string {
  return JSON.stringify({
    address: log.address,
    topics: log.topics,
    data: log.data,
    blockNumber: formatQuantity(header.number),
    transactionHash: place.transactionHash,
    transactionIndex: formatQuantity(place.transactionIndex),
    blockHash: header.hash,
    ...(shape === 'complete' && { blockTimestamp: formatQuantity(header.timestamp) }),
    logIndex: formatQuantity(place.logIndex),
    removed: false,
  })
}

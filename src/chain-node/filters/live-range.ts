import type { LogFilter } from '../codec/log-filter.ts'
import type { BlockTag } from '../codec/parameters.ts'
import { INVALID_PARAMS, RpcError } from '../rpc/rpc-error.ts'

/** Heights of blocks to come whose logs are wanted; both ends are in it, and null has no end. */
export interface LiveRange {
  readonly from: bigint
  readonly to: bigint | null
}

/**
 * The range of a filter for blocks to come: of tags it has no bound, and where it begins at the latest block it must end
 * there. Throws `RpcError` for a range that has no blocks, with geth's text, and for one block by its hash.
 */
export function readLiveRange(filter: LogFilter): LiveRange {
  if ('blockHash' in filter) {
    throw new RpcError(INVALID_PARAMS, 'cannot specify BlockHash for blocks to come')
  }
  const from = readBound(filter.from)
  const to = readBound(filter.to)
  if (to !== null && (from === null || from > to)) {
    throw new RpcError(INVALID_PARAMS, 'invalid block range params')
  }
  return { from: from ?? 0n, to }
}

export function isInRange(range: LiveRange, number: bigint): boolean {
  return number >= range.from && (range.to === null || number <= range.to)
}

/** Null for the latest block, which moves. */
function readBound(block: BlockTag): bigint | null {
  if ('number' in block) return block.number
  return block.tag === 'earliest' ? 0n : null
}

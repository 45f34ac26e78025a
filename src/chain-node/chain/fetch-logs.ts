import type { LogFilter } from '../codec/log-filter.ts'
import { INVALID_PARAMS, LIMIT_EXCEEDED, RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import { resolveHeight } from './block-parameter.ts'
import type { Chain, StoredLog } from './chain.ts'

export interface LogLimits {
  /** Most blocks between the first and the last of a range; 0 for any number. */
  readonly span: number
  /** Most logs in one answer. */
  readonly results: number
}

/** exchain's span, and the number of results that hosted nodes have. */
export const DEFAULT_LOG_LIMITS: LogLimits = { span: 2000, results: 10_000 }

/** The logs of stored blocks that a filter object means. Throws `RpcError`: no such block or range, or beyond a limit. */
export async function fetchLogs(
  chain: Chain,
  filter: LogFilter,
  limits: LogLimits,
): Promise<StoredLog[]> {
  const { addresses, topics } = filter
  const range = resolveRange(chain, filter, limits)
  if (range === null) return []
  return chain.queryLogs({ ...range, addresses, topics }, limits.results)
}

/**
 * Null where there is no such block yet. Whoever polls asks for the blocks after the last one that they saw, often before there
 * is one: a range that is open at its end is no error, and one that ends beyond the head is cut, as Hardhat and geth up to 1.15
 * do. A chain in geth's own shape refuses it as geth does now.
 */
function resolveRange(
  chain: Chain,
  filter: LogFilter,
  { span }: LogLimits,
): { from: bigint; to: bigint } | null {
  if ('blockHash' in filter) {
    const header = chain.findHeader(filter.blockHash)
    if (!header) throw new RpcError(SERVER_ERROR, 'unknown block')
    return { from: header.number, to: header.number }
  }
  const head = chain.head().number
  const from = resolveHeight(chain, filter.from)
  const asked = resolveHeight(chain, filter.to)
  if (from > head && 'tag' in filter.to && filter.to.tag !== 'earliest') return null
  if (from > asked) throw new RpcError(INVALID_PARAMS, 'invalid block range params')
  if (asked > head && chain.shape === 'complete') {
    throw new RpcError(INVALID_PARAMS, 'block range extends beyond current head block')
  }
  if (from > head) return null
  const to = asked < head ? asked : head
  if (span > 0 && to - from > BigInt(span)) {
    throw new RpcError(
      LIMIT_EXCEEDED,
      `the span between fromBlock and toBlock must be less than or equal to ${span}`,
    )
  }
  return { from, to }
}

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
  return chain.queryLogs(
    { ...resolveRange(chain, filter, limits), addresses, topics },
    limits.results,
  )
}

function resolveRange(
  chain: Chain,
  filter: LogFilter,
  { span }: LogLimits,
): { from: bigint; to: bigint } {
  if ('blockHash' in filter) {
    const header = chain.findHeader(filter.blockHash)
    if (!header) throw new RpcError(SERVER_ERROR, 'unknown block')
    return { from: header.number, to: header.number }
  }
  const head = chain.head().number
  const from = resolveHeight(chain, filter.from)
  const to = resolveHeight(chain, filter.to)
  if (from > to) throw new RpcError(INVALID_PARAMS, 'invalid block range params')
  if (to > head) {
    throw new RpcError(INVALID_PARAMS, 'block range extends beyond current head block')
  }
  if (span > 0 && to - from > BigInt(span)) {
    throw new RpcError(
      LIMIT_EXCEEDED,
      `the span between fromBlock and toBlock must be less than or equal to ${span}`,
    )
  }
  return { from, to }
}

import type { Chain, StoredLog } from '../chain/chain.ts'
import { fetchLogs, type LogLimits } from '../chain/fetch-logs.ts'
import { type LogFilter, readLogFilter } from '../codec/log-filter.ts'
import { type BlockTag, readString } from '../codec/parameters.ts'
import type { Filters } from '../filters/filters.ts'
import { defineMethod, JsonText, type MethodTable, required } from '../rpc/method.ts'

/** Filters, which callers without a WebSocket poll. */
export function listFilterMethods({
  chain,
  filters,
  limits,
}: {
  readonly chain: Chain
  readonly filters: Filters
  readonly limits: LogLimits
}): MethodTable {
  return {
    eth_newFilter: defineMethod([required(readLogFilter)], ([filter]) =>
      filters.addLogFilter(filter),
    ),
    eth_newBlockFilter: defineMethod([], () => filters.addBlockFilter()),
    eth_newPendingTransactionFilter: defineMethod([], () => filters.addTransactionFilter()),
    eth_uninstallFilter: defineMethod([required(readString)], ([id]) => filters.remove(id)),
    eth_getFilterChanges: defineMethod(
      [required(readString)],
      ([id]) => new JsonText(filters.takeChanges(id)),
    ),
    eth_getFilterLogs: defineMethod([required(readString)], async ([id]) => {
      const logs = await fetchStoredLogs(chain, filters.findLogFilter(id), limits)
      return new JsonText(`[${logs.map(log => log.json).join()}]`)
    }),
  }
}

/** The logs that a filter means in the blocks that there are; its others are still to come, which is no error. */
async function fetchStoredLogs(
  chain: Chain,
  filter: LogFilter,
  limits: LogLimits,
): Promise<StoredLog[]> {
  if ('blockHash' in filter) return fetchLogs(chain, filter, limits)
  const head = chain.head().number
  if (isAbove(filter.from, head)) return []
  const to: BlockTag = isAbove(filter.to, head) ? { tag: 'latest' } : filter.to
  return fetchLogs(chain, { ...filter, to }, limits)
}

function isAbove(block: BlockTag, height: bigint): boolean {
  return 'number' in block && block.number > height
}

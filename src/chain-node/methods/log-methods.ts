import type { Chain } from '../chain/chain.ts'
import { fetchLogs, type LogLimits } from '../chain/fetch-logs.ts'
import { readLogFilter } from '../codec/log-filter.ts'
import { readHash } from '../codec/parameters.ts'
import { answerText, defineMethod, JsonText, type MethodTable, required } from '../rpc/method.ts'

/** What contracts wrote down, by criteria and by transaction. */
export function listLogMethods({
  chain,
  limits,
}: {
  readonly chain: Chain
  readonly limits: LogLimits
}): MethodTable {
  return {
    eth_getLogs: defineMethod([required(readLogFilter)], async ([filter]) => {
      const logs = await fetchLogs(chain, filter, limits)
      return new JsonText(`[${logs.map(log => log.json).join()}]`)
    }),
    /** Null for a transaction that is in no block, as for its receipt. */
    eth_getTransactionLogs: defineMethod([required(readHash)], ([hash]) =>
      answerText(chain.transactionLogsJson(hash)),
    ),
  }
}

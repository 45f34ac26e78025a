import type { Chain, LogQuery, StoredLog } from '../chain/chain.ts'
import { formatQuantity } from '../codec/hex.ts'
import { createLogMatcher } from '../codec/log-filter.ts'
import { LIMIT_EXCEEDED, RpcError } from '../rpc/rpc-error.ts'
import { readDataOf, readFieldsOf, refuseAnswer } from './answer-fields.ts'
import type { Remote } from './remote.ts'

/** The chain of a fork: its own blocks, whose searches for logs take in what the remote has up to the block of the fork. */
export function createForkChain(chain: Chain, remote: Remote): Chain {
  const base = chain.genesis.number

  return {
    ...chain,
    async queryLogs(query, limit) {
      if (query.from > base) return chain.queryLogs(query, limit)
      const to = query.to < base ? query.to : base
      const older = await fetchLogs(remote, { ...query, to })
      const newer =
        query.to > base ? await chain.queryLogs({ ...query, from: base + 1n }, limit) : []
      if (older.length + newer.length > limit) {
        throw new RpcError(LIMIT_EXCEEDED, `query returned more than ${limit} results`)
      }
      return [...older, ...newer]
    },
  }
}

async function fetchLogs(remote: Remote, query: LogQuery): Promise<StoredLog[]> {
  const { from, to, addresses, topics } = query
  const answer = await remote.request('eth_getLogs', [
    {
      fromBlock: formatQuantity(from),
      toBlock: formatQuantity(to),
      ...(addresses.length > 0 && { address: addresses }),
      ...(topics.length > 0 && { topics: topics.map(any => (any.length === 0 ? null : any)) }),
    },
  ])
  if (!Array.isArray(answer)) throw refuseAnswer('eth_getLogs', 'is not an array')
  const matches = createLogMatcher(query)
  return answer.map((value, index) => {
    const place = `eth_getLogs[${index}]`
    const fields = readFieldsOf(place, value)
    const height = fields.quantity('blockNumber')
    const log = {
      address: fields.data('address', 20),
      topics: fields.list('topics').map(topic => readDataOf(`${place}.topics`, topic, 32)),
      json: JSON.stringify(value),
    }
    if (height < from || height > to || !matches(log)) {
      throw refuseAnswer(place, 'is none that was asked for')
    }
    return log
  })
}

import { describe, expect, it } from 'vitest'
import { DEFAULT_LOG_LIMITS, type LogLimits } from '../chain/fetch-logs.ts'
import { openChain } from '../chain/level-chain.ts'
import type { Hex } from '../codec/hex.ts'
import { createFilters } from '../filters/filters.ts'
import { createRpc } from '../rpc/rpc.ts'
import { createAddress, createFeed, createHash } from '../testing/feed.ts'
import { createMemoryStore } from '../testing/memory-store.ts'
import { createSampleBlock, createSampleGenesis, sampleEngine } from '../testing/sample-blocks.ts'
import { listFilterMethods } from './filter-methods.ts'

const NOT_FOUND = { error: { code: -32000, message: 'filter not found' } }
const TOKEN = createAddress(1)
const OTHER = createAddress(2)

describe('eth_getFilterChanges', () => {
  it('gives logs as eth_getFilterLogs has them, and each once', async () => {
    const { append, call } = await start()
    await append(TOKEN)
    const { result: id } = await call('eth_newFilter', [{ fromBlock: '0x0', address: TOKEN }])
    await append(TOKEN, OTHER, TOKEN)
    await append(OTHER)
    const changes = await call('eth_getFilterChanges', [id])
    expect(changes).toMatchObject({
      result: [
        { address: TOKEN, blockNumber: '0x2', logIndex: '0x0', removed: false },
        { address: TOKEN, blockNumber: '0x2', logIndex: '0x2', removed: false },
      ],
    })
    const all = (await call('eth_getFilterLogs', [id])) as { result: unknown[] }
    expect(all.result.slice(1)).toEqual((changes as { result: unknown }).result)
    expect(await call('eth_getFilterChanges', [id])).toEqual({ result: [] })
  })

  it('gives hashes of blocks and of pending transactions', async () => {
    const { append, call, feed } = await start()
    const { result: blocks } = await call('eth_newBlockFilter', [])
    const { result: transactions } = await call('eth_newPendingTransactionFilter', [])
    const header = await append()
    const { hash } = feed.makePending()
    expect(await call('eth_getFilterChanges', [blocks])).toEqual({ result: [header.hash] })
    expect(await call('eth_getFilterChanges', [transactions])).toEqual({ result: [hash] })
    expect(await call('eth_getFilterChanges', [blocks])).toEqual({ result: [] })
  })
})

describe('eth_getFilterLogs', () => {
  // Blocks 1 to 3 each have a log; the tags are resolved at the call, as in geth.
  it.each([
    [{ fromBlock: 'earliest' }, ['0x1', '0x2', '0x3']],
    [{ fromBlock: '0x2' }, ['0x2', '0x3']],
    [{ fromBlock: '0x1', toBlock: '0x2' }, ['0x1', '0x2']],
    [{ fromBlock: '0x3', toBlock: '0x100' }, ['0x3']],
    [{ fromBlock: '0x4' }, []],
    [{ fromBlock: '0x4', toBlock: '0x5' }, []],
    [{}, ['0x3']],
  ])('of %j gives all that there is, whatever was polled', async (filter, expected) => {
    const { append, call } = await start()
    await append(TOKEN)
    const { result: id } = await call('eth_newFilter', [filter])
    await append(TOKEN)
    await append(TOKEN)
    for (const _ of [1, 2]) {
      const { result } = (await call('eth_getFilterLogs', [id])) as {
        result: { blockNumber: Hex }[]
      }
      expect(result.map(({ blockNumber }) => blockNumber)).toEqual(expected)
      await call('eth_getFilterChanges', [id])
    }
  })

  it('is for log filters only', async () => {
    const { call } = await start()
    for (const method of ['eth_newBlockFilter', 'eth_newPendingTransactionFilter']) {
      const { result: id } = await call(method, [])
      expect(await call('eth_getFilterLogs', [id])).toEqual(NOT_FOUND)
      expect(await call('eth_uninstallFilter', [id])).toEqual({ result: true })
    }
  })

  it('keeps the limits of eth_getLogs', async () => {
    const { append, call } = await start({ span: 1, results: 2 })
    await append(TOKEN)
    await append(TOKEN, TOKEN)
    const long = await call('eth_newFilter', [{ fromBlock: 'earliest' }])
    const span = 'the span between fromBlock and toBlock must be less than or equal to 1'
    expect(await call('eth_getFilterLogs', [long.result])).toEqual({
      error: { code: -32005, message: span },
    })
    const many = await call('eth_newFilter', [{ fromBlock: '0x1' }])
    expect(await call('eth_getFilterLogs', [many.result])).toEqual({
      error: { code: -32005, message: 'query returned more than 2 results' },
    })
  })
})

describe('eth_uninstallFilter', () => {
  it('says whether there was one', async () => {
    const { call } = await start()
    const { result: id } = await call('eth_newFilter', [{ topics: [createHash(1)] }])
    expect(await call('eth_uninstallFilter', [id])).toEqual({ result: true })
    expect(await call('eth_uninstallFilter', [id])).toEqual({ result: false })
    for (const method of ['eth_getFilterChanges', 'eth_getFilterLogs']) {
      expect(await call(method, [id])).toEqual(NOT_FOUND)
    }
  })
})

describe('parameters', () => {
  it.each([
    ['eth_newFilter', [], -32602, 'missing value for required argument 0'],
    ['eth_newFilter', [null], -32602, 'missing value for required argument 0'],
    ['eth_newFilter', [{}, {}], -32602, 'too many arguments, want at most 1'],
    [
      'eth_newFilter',
      ['latest'],
      -32602,
      'invalid argument 0: json: cannot unmarshal string into Go value of type filters.input',
    ],
    [
      'eth_newFilter',
      [{ blockHash: createHash(1), toBlock: 'latest' }],
      -32602,
      'invalid argument 0: cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other',
    ],
    [
      'eth_newFilter',
      [{ blockhash: createHash(1) }],
      -32602,
      'cannot specify BlockHash for blocks to come',
    ],
    ['eth_newFilter', [{ fromBlock: '0x2', toBlock: '0x1' }], -32602, 'invalid block range params'],
    ['eth_newFilter', [{ topics: [null, null, null, null, null] }], -32000, 'exceed max topics'],
    ['eth_newBlockFilter', [1], -32602, 'too many arguments, want at most 0'],
    ['eth_newPendingTransactionFilter', [true], -32602, 'too many arguments, want at most 0'],
    ['eth_getFilterChanges', [], -32602, 'missing value for required argument 0'],
    [
      'eth_getFilterChanges',
      [1],
      -32602,
      'invalid argument 0: json: cannot unmarshal number into Go value of type string',
    ],
    ['eth_getFilterChanges', ['0x1'], -32000, 'filter not found'],
    ['eth_getFilterLogs', ['0x1'], -32000, 'filter not found'],
    ['eth_uninstallFilter', [], -32602, 'missing value for required argument 0'],
  ])('%s %j is refused', async (method, params, code, message) => {
    const { call } = await start()
    expect(await call(method, params)).toEqual({ error: { code, message } })
  })
})

/** The methods behind the real JSON-RPC and over a real chain, whose blocks are made up. */
async function start(limits: LogLimits = DEFAULT_LOG_LIMITS) {
  const feed = createFeed()
  const genesis = createSampleGenesis()
  const store = createMemoryStore()
  const chain = await openChain({ store, engine: sampleEngine, genesis, shape: 'specified' })
  const filters = createFilters(chain, feed.pool)
  const rpc = createRpc({
    table: listFilterMethods({ chain, filters, limits }),
    describeError: () => null,
    onFault: error => {
      throw error
    },
  })
  return {
    feed,
    /** A block with one transaction and a log of each address. */
    async append(...addresses: Hex[]) {
      const logs = addresses.map(address => ({ address, topics: [], data: '0x' as const }))
      const { block } = await chain.append(createSampleBlock(chain.head(), [{ logs }]))
      return block.header
    },
    call(method: string, params: unknown): Promise<{ result?: unknown; error?: unknown }> {
      return new Promise(resolve => {
        rpc.handle(JSON.stringify({ id: 1, method, params }), null, text => {
          const { jsonrpc: _, id: __, ...answer } = JSON.parse(text ?? '')
          resolve(answer)
        })
      })
    },
  }
}

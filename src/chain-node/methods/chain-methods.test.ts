import { describe, expect, it } from 'vitest'
import type { Hex } from '../codec/hex.ts'
import { SAMPLE_LOG, setUpChainMethods as setUp } from '../testing/chain-methods-setup.ts'
import { RECIPIENT, SENDER } from '../testing/sample-blocks.ts'

const { address: ADDRESS } = SAMPLE_LOG
const [TOPIC] = SAMPLE_LOG.topics
const UNKNOWN: Hex = `0x${'0d'.repeat(32)}`

describe('blocks', () => {
  it('are found by height, tag and hash, with hashes or whole transactions', async () => {
    const { call, blocks } = await setUp()
    const [, second] = blocks
    const hashes = second?.block.transactions.map(({ hash }) => hash)
    for (const tag of ['latest', 'safe', 'finalized', '0x2']) {
      const { result } = await call('eth_getBlockByNumber', tag, false)
      expect(result).toMatchObject({ number: '0x2', transactions: hashes })
    }
    const { result } = await call('eth_getBlockByHash', second?.block.header.hash, true)
    expect(result).toMatchObject({ transactions: [{ hash: hashes?.[0] }, { hash: hashes?.[1] }] })
    expect(await call('eth_getBlockByNumber', 'earliest', true)).toMatchObject({
      result: { number: '0x0', transactions: [] },
    })
    expect(await call('eth_getBlockByNumber', '0x3', true)).toEqual({ result: null })
    expect(await call('eth_getBlockByHash', UNKNOWN, true)).toEqual({ result: null })
  })

  it('need the flag for whole transactions', async () => {
    const { call } = await setUp()
    expect(await call('eth_getBlockByNumber', '0x1')).toMatchObject({
      error: { code: -32602, message: 'missing value for required argument 1' },
    })
    expect(await call('eth_getBlockByHash', UNKNOWN, 'true')).toMatchObject({
      error: { code: -32602 },
    })
  })

  it('say how many transactions they have', async () => {
    const { call, blocks } = await setUp()
    const byNumber = 'eth_getBlockTransactionCountByNumber'
    const byHash = 'eth_getBlockTransactionCountByHash'
    expect(await call(byNumber, 'earliest')).toEqual({ result: '0x0' })
    expect(await call(byNumber, 'latest')).toEqual({ result: '0x2' })
    expect(await call(byNumber, '0x9')).toEqual({ result: null })
    expect(await call(byHash, blocks[0]?.block.header.hash)).toEqual({ result: '0x1' })
    expect(await call(byHash, UNKNOWN)).toEqual({ result: null })
  })

  it('are pending with what the pool has for them', async () => {
    const { call, pool, head, pooled } = await setUp()
    expect(await call('eth_getBlockTransactionCountByNumber', 'pending')).toEqual({ result: '0x0' })
    for (const transaction of pooled) await pool.add(transaction, 'local')
    expect(await call('eth_getBlockTransactionCountByNumber', 'pending')).toEqual({ result: '0x2' })
    const { result } = await call('eth_getBlockByNumber', 'pending', false)
    expect(result).toMatchObject({
      number: '0x3',
      parentHash: head.hash,
      hash: null,
      nonce: null,
      miner: null,
      totalDifficulty: null,
      gasUsed: `0x${(180_000).toString(16)}`,
      transactions: pooled.map(({ hash }) => hash),
    })
    const whole = await call('eth_getBlockByNumber', 'pending', true)
    expect(whole.result).toMatchObject({
      transactions: pooled.map(({ hash }) => ({ hash, blockHash: null, blockNumber: null })),
    })
  })

  it('are pending without what has no room, and without what follows it', async () => {
    const { call, pool, pooled } = await setUp()
    const [first, second] = pooled as [(typeof pooled)[0], (typeof pooled)[0]]
    await pool.add({ ...first, gas: 30_000_001n }, 'local')
    await pool.add(second, 'local')
    expect(await call('eth_getBlockTransactionCountByNumber', 'pending')).toEqual({ result: '0x0' })
    await pool.add({ ...second, from: ADDRESS }, 'local')
    expect(await call('eth_getBlockTransactionCountByNumber', 'pending')).toEqual({ result: '0x1' })
  })
})

describe('transactions', () => {
  it('are found by hash in blocks and in the pool', async () => {
    const { call, pool, blocks, pooled } = await setUp()
    const hash = blocks[1]?.block.transactions[1]?.hash
    expect(await call('eth_getTransactionByHash', hash)).toMatchObject({
      result: { hash, blockNumber: '0x2', transactionIndex: '0x1', from: SENDER, to: RECIPIENT },
    })
    const waiting = pooled[0]
    expect(await call('eth_getTransactionByHash', waiting?.hash)).toEqual({ result: null })
    if (waiting) await pool.add(waiting, 'local')
    expect(await call('eth_getTransactionByHash', waiting?.hash)).toMatchObject({
      result: { hash: waiting?.hash, blockHash: null, blockNumber: null, transactionIndex: null },
    })
    expect(await call('eth_getTransactionReceipt', waiting?.hash)).toEqual({ result: null })
    expect(await call('eth_getTransactionLogs', waiting?.hash)).toEqual({ result: null })
  })

  it('are found by their place, under both spellings', async () => {
    const { call, pool, blocks, pooled } = await setUp()
    const { header, transactions } = blocks[1]?.block ?? {}
    const expected = { result: { hash: transactions?.[1]?.hash, transactionIndex: '0x1' } }
    for (const method of [
      'eth_getTransactionByBlockNumberAndIndex',
      'eth_getTransactionbyBlockNumberAndIndex',
    ]) {
      expect(await call(method, '0x2', '0x1')).toMatchObject(expected)
      expect(await call(method, 'latest', '0x1')).toMatchObject(expected)
      expect(await call(method, 'earliest', '0x0')).toEqual({ result: null })
      expect(await call(method, '0x2', '0x2')).toEqual({ result: null })
      expect(await call(method, '0x2', '0xffffffffffffffff')).toEqual({ result: null })
      expect(await call(method, '0x3', '0x0')).toEqual({ result: null })
      expect(await call(method, 'pending', '0x0')).toEqual({ result: null })
    }
    const byHash = 'eth_getTransactionByBlockHashAndIndex'
    expect(await call(byHash, header?.hash, '0x1')).toMatchObject(expected)
    expect(await call(byHash, UNKNOWN, '0x1')).toEqual({ result: null })
    if (pooled[0]) await pool.add(pooled[0], 'local')
    expect(await call('eth_getTransactionByBlockNumberAndIndex', 'pending', '0x0')).toMatchObject({
      result: { hash: pooled[0]?.hash, blockHash: null },
    })
  })

  it('have receipts and logs', async () => {
    const { call, blocks } = await setUp()
    const [succeeded, failed] = blocks[1]?.block.transactions ?? []
    const { result } = await call('eth_getTransactionReceipt', succeeded?.hash)
    expect(result).toMatchObject({ status: '0x1', logs: [{ address: ADDRESS, logIndex: '0x0' }] })
    expect(await call('eth_getTransactionLogs', succeeded?.hash)).toEqual({
      result: (result as { logs: unknown }).logs,
    })
    expect(await call('eth_getTransactionReceipt', failed?.hash)).toMatchObject({
      result: { status: '0x0', logs: [] },
    })
    expect(await call('eth_getTransactionLogs', failed?.hash)).toEqual({ result: [] })
    expect(await call('eth_getTransactionReceipt', UNKNOWN)).toEqual({ result: null })
    expect(await call('eth_getTransactionLogs', UNKNOWN)).toEqual({ result: null })
  })
})

describe('eth_getLogs', () => {
  it('takes the latest block where nothing is said, and any range or one block', async () => {
    const { call, blocks } = await setUp()
    const heights = async (filter: object) => {
      const { result } = await call('eth_getLogs', filter)
      return (result as { blockNumber: string }[]).map(({ blockNumber }) => blockNumber)
    }
    expect(await heights({})).toEqual(['0x2'])
    expect(await heights({ fromBlock: 'earliest' })).toEqual(['0x1', '0x2'])
    expect(await heights({ fromBlock: '0x1', toBlock: '0x1' })).toEqual(['0x1'])
    expect(await heights({ fromBlock: 'earliest', toBlock: 'pending' })).toEqual(['0x1', '0x2'])
    const hash = blocks[0]?.block.header.hash
    expect(await heights({ blockhash: hash })).toEqual(['0x1'])
    expect(await heights({ blockHash: hash, topics: [[UNKNOWN, TOPIC]] })).toEqual(['0x1'])
    expect(await heights({ fromBlock: 'earliest', topics: [null, null] })).toEqual([])
    expect(await heights({ fromBlock: 'earliest', address: [SENDER, ADDRESS] })).toHaveLength(2)
  })

  it('cuts what is beyond the head, where whoever polls may look', async () => {
    const { call } = await setUp({ span: 2, results: 10 })
    const heights = async (fromBlock: string, toBlock?: string) => {
      const { result } = await call('eth_getLogs', { fromBlock, toBlock })
      return (result as { blockNumber: string }[]).map(({ blockNumber }) => blockNumber)
    }
    expect(await heights('0x1', '0x3')).toEqual(['0x1', '0x2'])
    expect(await heights('0x2', '0xffffff')).toEqual(['0x2'])
    for (const to of [undefined, 'latest', 'pending', '0x3', '0xffffff']) {
      expect(await heights('0x3', to)).toEqual([])
    }
    expect((await call('eth_getLogs', { fromBlock: '0x4', toBlock: '0x3' })).error).toEqual({
      code: -32602,
      message: 'invalid block range params',
    })
  })

  it('refuses what cannot be answered', async () => {
    const { call } = await setUp()
    const refusal = async (filter: unknown) => (await call('eth_getLogs', filter)).error
    expect(await refusal({ fromBlock: '0x2', toBlock: '0x1' })).toEqual({
      code: -32602,
      message: 'invalid block range params',
    })
    expect(await refusal({ blockHash: UNKNOWN })).toEqual({
      code: -32000,
      message: 'unknown block',
    })
    expect((await call('eth_getLogs')).error).toEqual({
      code: -32602,
      message: 'missing value for required argument 0',
    })
  })

  it('refuses ranges beyond the span and answers beyond the limit', async () => {
    const { call } = await setUp({ span: 1, results: 10 })
    expect(await call('eth_getLogs', { fromBlock: '0x0', toBlock: '0x2' })).toEqual({
      error: {
        code: -32005,
        message: 'the span between fromBlock and toBlock must be less than or equal to 1',
      },
    })
    expect(await call('eth_getLogs', { fromBlock: '0x1', toBlock: '0x2' })).toMatchObject({
      result: [{}, {}],
    })
    const strict = await setUp({ span: 0, results: 1 })
    expect(await strict.call('eth_getLogs', { fromBlock: '0x0', toBlock: '0x2' })).toEqual({
      error: { code: -32005, message: 'query returned more than 1 results' },
    })
  })
})

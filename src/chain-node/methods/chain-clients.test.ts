import { JsonRpcApiProvider, type JsonRpcPayload } from 'ethers'
import { createPublicClient, custom } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Hex } from '../codec/hex.ts'
import { SAMPLE_LOG, setUpChainMethods } from '../testing/chain-methods-setup.ts'
import { SENDER } from '../testing/sample-blocks.ts'

describe('viem', () => {
  it('reads blocks, transactions, receipts and logs', async () => {
    const { call, blocks, pool, pooled } = await setUpChainMethods()
    const { header, transactions } = blocks[1]?.block ?? expect.fail()
    const [succeeded, failed] = transactions.map(({ hash }) => hash) as [Hex, Hex]
    const client = createPublicClient({
      transport: custom({
        async request({ method, params }) {
          const { result, error } = await call(method, ...(params ?? []))
          if (error) throw error
          return result
        },
      }),
    })
    const { uncleHash, ...fields } = header
    expect(await client.getBlock()).toMatchObject({ ...fields, sha3Uncles: uncleHash })
    expect(await client.getTransaction({ hash: succeeded })).toMatchObject({
      blockHash: header.hash,
      from: SENDER,
      gas: 90_000n,
      gasPrice: 100_000_000n,
    })
    expect(await client.getTransactionReceipt({ hash: failed })).toMatchObject({
      status: 'reverted',
      gasUsed: 21_000n,
      type: 'legacy',
    })
    expect(
      await client.getLogs({ address: SAMPLE_LOG.address, fromBlock: 'earliest' }),
    ).toMatchObject([
      { blockNumber: 1n, logIndex: 0 },
      { blockNumber: 2n, transactionHash: succeeded },
    ])
    for (const transaction of pooled) await pool.add(transaction, 'local')
    const pending = await client.getBlock({ blockTag: 'pending', includeTransactions: true })
    expect(pending).toMatchObject({ hash: null, nonce: null, number: 3n })
    expect(pending.transactions).toHaveLength(2)
  })
})

describe('ethers', () => {
  it('reads blocks, transactions, receipts and logs', async () => {
    const { call, blocks, pool, pooled } = await setUpChainMethods()
    const { header, transactions } = blocks[1]?.block ?? expect.fail()
    const [succeeded, failed] = transactions.map(({ hash }) => hash) as [Hex, Hex]
    const provider = new TableProvider(call)
    onTestFinished(() => provider.destroy())
    expect(await provider.getBlock('latest')).toMatchObject({
      hash: header.hash,
      stateRoot: header.stateRoot,
      receiptsRoot: header.receiptsRoot,
      timestamp: Number(header.timestamp),
    })
    expect(await provider.getTransaction(succeeded)).toMatchObject({
      blockNumber: 2,
      index: 0,
      gasPrice: 100_000_000n,
      type: 0,
    })
    expect(await provider.getTransactionReceipt(failed)).toMatchObject({
      status: 0,
      fee: 21_000n * 100_000_000n,
      logs: [],
    })
    const logs = await provider.getLogs({ topics: [...SAMPLE_LOG.topics], fromBlock: 0 })
    expect(logs.map(({ blockNumber, index }) => [blockNumber, index])).toEqual([
      [1, 0],
      [2, 0],
    ])
    for (const transaction of pooled) await pool.add(transaction, 'local')
    const pending = await provider.getBlock('pending', true)
    expect(pending?.hash).toBeNull()
    expect(pending?.prefetchedTransactions).toHaveLength(2)
  })
})

type Call = Awaited<ReturnType<typeof setUpChainMethods>>['call']

class TableProvider extends JsonRpcApiProvider {
  readonly #call: Call

  constructor(call: Call) {
    super(66, { staticNetwork: true, batchMaxCount: 1 })
    this.#call = call
    this._start()
  }

  override async _send(payload: JsonRpcPayload | JsonRpcPayload[]) {
    const payloads = Array.isArray(payload) ? payload : [payload]
    return Promise.all(
      payloads.map(async ({ id, method, params }) => {
        const { result, error } = await this.#call(method, ...(params as unknown[]))
        return error ? { id, error } : { id, result }
      }),
    )
  }
}

import { JsonRpcProvider, Transaction, Wallet } from 'ethers'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { DEV_KEYS } from '../dev-accounts.ts'
import { EXECUTION_APIS_CHAIN, EXECUTION_APIS_GENESIS } from '../testing/execution-apis.ts'
import { askEach } from '../testing/json-rpc-client.ts'
import { type RunningNode, startRunningNode } from '../testing/running-node.ts'

const GWEI = 10n ** 9n

async function start(...args: string[]): Promise<RunningNode> {
  const node = await startRunningNode(args)
  onTestFinished(() => node.close())
  return node
}

describe('eth_feeHistory', () => {
  let published: RunningNode
  beforeAll(async () => {
    const chain = ['--genesis', EXECUTION_APIS_GENESIS, '--import', EXECUTION_APIS_CHAIN]
    published = await startRunningNode([...chain, '--on-demand', '--extended'])
  })
  afterAll(() => published.close())

  const ask = async (...params: unknown[]) => {
    const [answer] = await askEach(published.url, [{ method: 'eth_feeHistory', params }])
    return answer?.error ? { error: answer.error } : { result: answer?.result }
  }

  // tests/eth_feeHistory/fee-history.io of execution-apis, commit 033ca6e6 (CC0-1.0), but for its fees of blobs.
  it('is the published one', async () => {
    expect(await ask('0x1', '0x1b', [95, 99])).toEqual({
      result: {
        oldestBlock: '0x1b',
        reward: [['0x1', '0x1']],
        baseFeePerGas: ['0x3b9aca00', '0x342a385a'],
        gasUsedRatio: [0.00072868],
      },
    })
  })

  it('takes a number as geth does, and gives no more blocks than there are', async () => {
    const { result } = (await ask(5000, '0x1b')) as { result: { baseFeePerGas: string[] } }
    expect(result).toMatchObject({ oldestBlock: '0x0' })
    expect(result.baseFeePerGas).toHaveLength(0x1b + 2)
    expect(result).not.toHaveProperty('reward')
    expect((await ask('28', '0x1b')).result).toEqual(result)
    expect(await ask(0, 'latest')).toEqual({ result: { oldestBlock: '0x0', gasUsedRatio: null } })
  })

  it.each([
    [['0x1', '0x37'], -32000, 'request beyond head block: requested 55, head 54'],
    [['0x1', 'latest', [101]], -32000, 'invalid reward percentile: 101'],
    [['0x1', 'latest', [5, 5]], -32000, 'invalid reward percentile: #0:5 >= #1:5'],
    [['0x1', 'latest', Array(101).fill(1)], -32000, /over the query limit 100/],
    [['0x1', 'latest', ['a']], -32602, /^invalid argument 2: /],
    [['0x1', 'latest', 7], -32602, /^invalid argument 2: /],
    [[-1, 'latest'], -32602, /^invalid argument 0: /],
    [['0x1'], -32602, 'missing value for required argument 1'],
  ])('refuses %j', async (params, code, text) => {
    const message = typeof text === 'string' ? text : expect.stringMatching(text)
    expect(await ask(...params)).toEqual({ error: { code, message } })
  })

  it('weights tips by the gas of their transactions', async () => {
    const node = await start('--dev', '--profile', 'prague', '--on-demand')
    const provider = new JsonRpcProvider(node.url, undefined, { cacheTimeout: -1 })
    onTestFinished(() => provider.destroy())
    const send = (index: number, tip: bigint, fields: object) =>
      new Wallet(DEV_KEYS[index] as string, provider).sendTransaction({
        maxPriorityFeePerGas: tip,
        maxFeePerGas: 100n * GWEI,
        ...fields,
      })
    // 21,000 of gas each, and 121,000 or more for one that stores bytes: 16 for each of them, and EIP-7623's 40.
    await send(0, 2n * GWEI, { to: Wallet.createRandom().address })
    await send(1, 4n * GWEI, { to: Wallet.createRandom().address })
    const data = `0x${'ff'.repeat(2500)}`
    await send(2, 3n * GWEI, { to: Wallet.createRandom().address, data, gasLimit: 200_000 })
    await provider.send('evm_mine', [])
    const client = createPublicClient({ transport: http(node.url) })
    const history = await client.getFeeHistory({ blockCount: 1, rewardPercentiles: [1, 50, 99] })
    expect(history.reward).toEqual([[2n * GWEI, 3n * GWEI, 4n * GWEI]])
    const block = await client.getBlock()
    expect(history.gasUsedRatio).toEqual([Number(block.gasUsed) / Number(block.gasLimit)])
    expect(history.baseFeePerGas[0]).toBe(block.baseFeePerGas)
    await provider.send('evm_mine', [])
    expect((await client.getBlock()).baseFeePerGas).toBe(history.baseFeePerGas[1])
    expect(await client.estimateMaxPriorityFeePerGas()).toBeGreaterThan(0n)
  })

  it('has no base fee on a chain without one, and the whole price is the tip', async () => {
    const node = await start('--dev')
    const provider = new JsonRpcProvider(node.url, undefined, { cacheTimeout: -1 })
    onTestFinished(() => provider.destroy())
    const alice = new Wallet(DEV_KEYS[0] as string, provider)
    await (await alice.sendTransaction({ to: alice.address, gasPrice: 7n * GWEI })).wait()
    expect(await provider.send('eth_feeHistory', ['0x2', 'latest', [50]])).toEqual({
      oldestBlock: '0x0',
      baseFeePerGas: ['0x0', '0x0', '0x0'],
      gasUsedRatio: [0, 21_000 / 30_000_000],
      reward: [['0x0'], [`0x${(7n * GWEI).toString(16)}`]],
    })
    expect(BigInt(await provider.send('eth_maxPriorityFeePerGas', []))).toBe(7n * GWEI)
  })
})

describe('a node that was not asked for more than the specification', () => {
  it.each(['eth_feeHistory', 'eth_maxPriorityFeePerGas'])('has no %s', async method => {
    const node = await start()
    const [answer] = await askEach(node.url, [{ method, params: [] }])
    const message = `the method ${method} does not exist/is not available`
    expect(answer?.error).toEqual({ code: -32601, message })
  })

  it('takes transactions from before EIP-155 with --allow-unprotected-txs alone', async () => {
    const unsigned = { type: 0, to: `0x${'11'.repeat(20)}`, gasLimit: 21_000, gasPrice: GWEI }
    const transaction = Transaction.from(unsigned)
    transaction.signature = new Wallet(DEV_KEYS[0] as string).signingKey.sign(
      transaction.unsignedHash,
    )
    expect(transaction.isLegacy() && transaction.chainId).toBe(0n)
    const send = [{ method: 'eth_sendRawTransaction', params: [transaction.serialized] }]
    const [refused] = await askEach((await start('--dev')).url, send)
    expect(refused?.error?.message).toMatch(/^only replay-protected/)
    const node = await start('--dev', '--allow-unprotected-txs')
    const [taken] = await askEach(node.url, send)
    expect(taken?.result).toBe(transaction.hash)
    const receipt = [{ method: 'eth_getTransactionReceipt', params: [transaction.hash] }]
    expect((await askEach(node.url, receipt))[0]?.result).toMatchObject({ status: '0x1' })
  })
})

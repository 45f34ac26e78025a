import { Contract, ContractFactory, JsonRpcProvider, Wallet } from 'ethers'
import { createTestClient, http, publicActions } from 'viem'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { DEV_KEYS } from '../dev-accounts.ts'
import { compileContracts } from '../testing/contracts.ts'
import { askEach } from '../testing/json-rpc-client.ts'
import { type RunningNode, startRunningNode } from '../testing/running-node.ts'

const { Lock } = compileContracts()
if (!Lock) throw new Error('contracts.sol has no Lock')

const DAY = 86_400

describe('a node for development', () => {
  let node: RunningNode
  let provider: JsonRpcProvider
  let alice: Wallet
  beforeEach(async () => {
    node = await startRunningNode(['--dev'])
    provider = new JsonRpcProvider(node.url, undefined, { pollingInterval: 50, cacheTimeout: -1 })
    alice = new Wallet(DEV_KEYS[0] as string, provider)
  })
  afterEach(async () => {
    provider.destroy()
    await node.close()
    expect(node.complaints).toEqual([])
  })

  const readTime = async () => (await provider.getBlock('latest'))?.timestamp ?? 0

  it('opens a lock of a year in a moment', async () => {
    const time = (await readTime()) + 365 * DAY
    const deployed = await new ContractFactory(Lock.abi, Lock.initCode, alice).deploy(time)
    await deployed.waitForDeployment()
    const withdraw = new Contract(await deployed.getAddress(), Lock.abi, alice).getFunction(
      'withdraw',
    )
    await expect(withdraw.estimateGas()).rejects.toThrow("You can't withdraw yet")
    await provider.send('evm_increaseTime', [365 * DAY])
    expect(await (await withdraw()).wait()).toMatchObject({ status: 1 })
    expect(await readTime()).toBeGreaterThanOrEqual(time)
  })

  it('gives the next block the time that was asked for, and goes on from it', async () => {
    const time = (await readTime()) + 1000 * DAY
    await provider.send('evm_setNextBlockTimestamp', [time])
    await (await alice.sendTransaction({ to: alice.address })).wait()
    expect(await readTime()).toBe(time)
    await (await alice.sendTransaction({ to: alice.address })).wait()
    const later = await readTime()
    expect(later).toBeGreaterThan(time)
    expect(later).toBeLessThan(time + 60)
    await expect(provider.send('evm_setNextBlockTimestamp', [time])).rejects.toThrow(
      /is not after that of the head/,
    )
    await provider.send('evm_mine', [later + DAY])
    expect(await readTime()).toBe(later + DAY)
    await provider.send('evm_mine', [{ timestamp: later + 2 * DAY }])
    expect(await readTime()).toBe(later + 2 * DAY)
  })

  it('is steered by viem, of either name', async () => {
    for (const mode of ['hardhat', 'anvil'] as const) {
      const client = createTestClient({ mode, transport: http(node.url) }).extend(publicActions)
      const before = await client.getBlock()
      await client.mine({ blocks: 3, interval: 100 })
      const after = await client.getBlock()
      expect(after.number).toBe(before.number + 3n)
      expect(after.timestamp).toBeGreaterThanOrEqual(before.timestamp + 200n)
      expect(await client.getAutomine()).toBe(true)
    }
  })

  it('makes blocks as it is told', async () => {
    await provider.send('evm_setAutomine', [false])
    expect(await provider.send('hardhat_getAutomine', [])).toBe(false)
    const kept = await alice.sendTransaction({ to: alice.address, nonce: 0 })
    const dropped = await alice.sendTransaction({ to: alice.address, nonce: 1 })
    expect(await provider.getBlockNumber()).toBe(0)
    expect(await provider.send('hardhat_dropTransaction', [dropped.hash])).toBe(true)
    expect(await provider.send('anvil_dropTransaction', [dropped.hash])).toBe(false)
    await provider.send('evm_setAutomine', [true])
    await kept.wait()
    expect(await provider.getTransactionCount(alice.address, 'pending')).toBe(1)

    await provider.send('evm_setIntervalMining', [100])
    const height = await provider.getBlockNumber()
    await expect.poll(() => provider.getBlockNumber()).toBeGreaterThan(height + 1)
    await provider.send('evm_setIntervalMining', [0])
    const { latestBlockNumber, chainId } = await provider.send('hardhat_metadata', [])
    expect(chainId).toBe(66)
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(await provider.getBlockNumber()).toBe(latestBlockNumber)
  })

  it.each([
    ['evm_increaseTime', [-1]],
    ['evm_increaseTime', ['soon']],
    ['evm_setIntervalMining', [10]],
    ['evm_setIntervalMining', [86_400_001]],
    ['evm_setNextBlockTimestamp', [{}]],
    ['evm_mine', [[]]],
    ['evm_setAutomine', [1]],
    ['hardhat_mine', [1.5]],
  ])('refuses %s %j', async (method, params) => {
    const [answer] = await askEach(node.url, [{ method, params }])
    expect(answer?.error?.code).toBe(-32602)
  })

  it('sets no time from which a header could not go on', async () => {
    for (const timestamp of ['0xffffffffffffffff', '0x1000000000001']) {
      for (const method of ['evm_setNextBlockTimestamp', 'evm_mine']) {
        const [answer] = await askEach(node.url, [{ method, params: [timestamp] }])
        expect(answer?.error).toMatchObject({
          code: -32000,
          message: expect.stringContaining('is after the last one that may be set'),
        })
      }
    }
    const [answer] = await askEach(node.url, [
      { method: 'hardhat_mine', params: ['0x2', '0xffffffffffffffff'] },
    ])
    expect(answer?.error?.code).toBe(-32602)
    expect(await provider.getBlockNumber()).toBe(0)
  })

  it('makes no more than 10,000 blocks at once', async () => {
    const [answer] = await askEach(node.url, [{ method: 'hardhat_mine', params: [10_001] }])
    expect(answer?.error?.code).toBe(-32005)
  })
})

it('a node that is for no development has none of it', async () => {
  const node = await startRunningNode(['--extended'])
  onTestFinished(() => node.close())
  for (const method of ['evm_mine', 'evm_increaseTime', 'hardhat_mine', 'hardhat_metadata']) {
    const [answer] = await askEach(node.url, [{ method, params: [] }])
    expect(answer?.error?.code).toBe(-32601)
  }
})

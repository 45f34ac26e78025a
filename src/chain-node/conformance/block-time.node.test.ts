import { setTimeout as sleep } from 'node:timers/promises'
import { Contract, ContractFactory, JsonRpcProvider, Wallet } from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEV_KEYS } from '../dev-accounts.ts'
import { compileContracts } from '../testing/contracts.ts'
import { type RunningNode, startRunningNode } from '../testing/running-node.ts'

const { Lock } = compileContracts()
if (!Lock) throw new Error('contracts.sol has no Lock')

const readClock = () => Math.floor(Date.now() / 1000)

let node: RunningNode
let provider: JsonRpcProvider
let alice: Wallet
beforeAll(async () => {
  node = await startRunningNode(['--dev'])
  provider = new JsonRpcProvider(node.url, undefined, { pollingInterval: 50, cacheTimeout: -1 })
  alice = new Wallet(DEV_KEYS[0] as string, provider)
})
afterAll(async () => {
  provider.destroy()
  await node.close()
  expect(node.complaints).toEqual([])
})

describe('a chain for development', () => {
  it('begins now, not in 1970', async () => {
    const genesis = await provider.getBlock(0)
    expect(Math.abs((genesis?.timestamp ?? 0) - readClock())).toBeLessThan(60)
  })

  it('opens a lock when its time has come, though no block was made since', async () => {
    const time = readClock() + 4
    const factory = new ContractFactory(Lock.abi, Lock.initCode, alice)
    const deployed = await factory.deploy(time, { value: 5n })
    await deployed.waitForDeployment()
    const to = await deployed.getAddress()
    const lock = new Contract(to, Lock.abi, alice)
    const withdraw = lock.getFunction('withdraw')
    const secondsLeft = lock.getFunction('secondsLeft')
    const height = lock.getFunction('height')
    const call = async (name: string, ...block: string[]) => {
      const message = { to, data: Lock.abi.encodeFunctionData(name) }
      return BigInt(await provider.send('eth_call', [message, ...block]))
    }
    await expect(withdraw.estimateGas()).rejects.toThrow("You can't withdraw yet")
    await expect(withdraw.staticCall({ blockTag: 'pending' })).rejects.toThrow(
      "You can't withdraw yet",
    )
    while (readClock() <= time) await sleep(100)

    const head = await provider.getBlock('latest')
    const left = BigInt(time - (head?.timestamp ?? 0))
    expect(left).toBeGreaterThan(0n)
    // The latest block is what it was.
    expect(await secondsLeft()).toBe(left)
    expect(await call('secondsLeft', 'latest')).toBe(left)
    expect(await height()).toBe(1n)
    // The next one is not.
    expect(await secondsLeft({ blockTag: 'pending' })).toBe(0n)
    expect(await call('secondsLeft')).toBe(0n)
    expect(await height({ blockTag: 'pending' })).toBe(2n)
    const pending = await provider.send('eth_getBlockByNumber', ['pending', false])
    expect(pending.number).toBe('0x2')
    expect(Number(pending.timestamp)).toBeGreaterThanOrEqual(time)

    // web3 names the latest block where it estimates.
    const message = { from: alice.address, to, data: '0x3ccfd60b' }
    const estimate = BigInt(await provider.send('eth_estimateGas', [message, 'latest']))
    expect(await withdraw.estimateGas()).toBe(estimate)
    const receipt = await (await withdraw()).wait()
    expect(receipt).toMatchObject({ status: 1, blockNumber: 2 })
    expect(await provider.getBalance(to)).toBe(0n)
  })
})

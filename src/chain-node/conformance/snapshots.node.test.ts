import { rmSync } from 'node:fs'
import { Contract, ContractFactory, JsonRpcProvider, parseEther, Wallet } from 'ethers'
import { createTestClient, http, publicActions, walletActions } from 'viem'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { DEV_KEYS } from '../dev-accounts.ts'
import { compileContracts } from '../testing/contracts.ts'
import { askEach } from '../testing/json-rpc-client.ts'
import { type RunningNode, startRunningNode } from '../testing/running-node.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'

const { Lock, Token } = compileContracts()
if (!Lock || !Token) throw new Error('contracts.sol has no Lock, or no Token')

const DAY = 86_400
const NOBODY = '0x000000000000000000000000000000000000dEaD'

let folder: string
let node: RunningNode
let provider: JsonRpcProvider
let alice: Wallet
let bob: Wallet

async function open(...more: string[]): Promise<void> {
  node = await startRunningNode(['--dev', '--data', folder, ...more])
  provider = new JsonRpcProvider(node.url, undefined, { pollingInterval: 50, cacheTimeout: -1 })
  alice = new Wallet(DEV_KEYS[0] as string, provider)
  bob = new Wallet(DEV_KEYS[1] as string, provider)
}

async function close(): Promise<void> {
  provider.destroy()
  await node.close()
  expect(node.complaints).toEqual([])
}

beforeEach(async () => {
  folder = createTemporaryFolder()
  await open()
})
afterEach(async () => {
  await close()
  rmSync(folder, { recursive: true, force: true })
})

const send = (method: string, ...params: unknown[]) => provider.send(method, params)
const pay = async (from: Wallet, to: string, value = 1n) =>
  (await from.sendTransaction({ to, value, gasLimit: 21_000n })).wait()

/** All that a client can see of a chain, but what it was told of when. */
async function look() {
  const head = await provider.getBlockNumber()
  const blocks = await Promise.all(
    Array.from({ length: head + 3 }, (_, number) =>
      send('eth_getBlockByNumber', `0x${number.toString(16)}`, true),
    ),
  )
  return {
    blocks,
    balances: await Promise.all([alice, bob].map(one => provider.getBalance(one.address))),
    nonces: await Promise.all([alice, bob].map(one => provider.getTransactionCount(one.address))),
    logs: await send('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' }),
    pool: await send('txpool_content'),
    gasPrice: await send('eth_gasPrice'),
  }
}

describe('a snapshot', () => {
  it('brings back all that was, and nothing that came after it can be found', async () => {
    await pay(alice, bob.address)
    const token = await deploy(Token, 1000n)
    const before = await look()
    const id = await send('evm_snapshot')
    expect(id).toBe('0x1')

    const receipt = await pay(bob, alice.address, 5n)
    const emitted = await (await token.getFunction('transfer')(NOBODY, 7n)).wait()
    const block = await send('eth_getBlockByNumber', 'latest', false)
    expect(await look()).not.toEqual(before)

    expect(await send('evm_revert', id)).toBe(true)
    expect(await look()).toEqual(before)
    for (const hash of [receipt?.hash, emitted.hash]) {
      expect(await send('eth_getTransactionByHash', hash)).toBeNull()
      expect(await send('eth_getTransactionReceipt', hash)).toBeNull()
    }
    expect(await send('eth_getBlockByHash', block.hash, false)).toBeNull()
    expect(
      await send('eth_getLogs', { blockHash: block.hash }).catch(error => error.message),
    ).toMatch(/unknown block/)

    // The same nonces, and other blocks of the same heights.
    await pay(alice, NOBODY, 3n)
    await pay(bob, alice.address, 6n)
    expect(await provider.getBalance(NOBODY)).toBe(3n)
    expect(await send('eth_getLogs', { fromBlock: '0x0' })).toEqual(before.logs)
  })

  it('can be come back to once, and those after it no more', async () => {
    const first = await send('evm_snapshot')
    await pay(alice, NOBODY)
    const second = await send('evm_snapshot')
    expect([first, second]).toEqual(['0x1', '0x2'])
    expect(await send('evm_revert', first)).toBe(true)
    expect(await send('evm_revert', second)).toBe(false)
    expect(await send('evm_revert', first)).toBe(false)
    expect(await send('evm_revert', '0x99')).toBe(false)
    // Numbers are not given twice.
    expect(await send('evm_snapshot')).toBe('0x3')
  })

  it('outlives a restart, and so does what was come back to', async () => {
    await pay(alice, NOBODY)
    await send('hardhat_setBalance', NOBODY, '0x64')
    const before = await look()
    const id = await send('evm_snapshot')
    await pay(alice, NOBODY, 9n)
    await send('hardhat_setBalance', NOBODY, '0x0')
    await close()
    await open()
    expect(await send('evm_revert', id)).toBe(true)
    expect(await look()).toEqual(before)
    expect(await provider.getBalance(NOBODY)).toBe(100n)
    await close()
    await open()
    expect(await look()).toEqual(before)
    expect(await send('evm_revert', id)).toBe(false)
    expect(await send('evm_snapshot')).toBe('0x2')
  })

  it('has the time that it was taken at', async () => {
    const id = await send('evm_snapshot')
    const time = Number((await send('eth_getBlockByNumber', 'latest', false)).timestamp)
    await send('evm_increaseTime', 500 * DAY)
    await pay(alice, NOBODY)
    await send('evm_revert', id)
    await pay(alice, NOBODY)
    const later = Number((await send('eth_getBlockByNumber', 'latest', false)).timestamp)
    expect(later - time).toBeLessThan(DAY)
  })

  it('has what waited for a block, and no more', async () => {
    await send('evm_setAutomine', false)
    const kept = await alice.sendTransaction({ to: NOBODY, value: 1n, nonce: 0 })
    const id = await send('evm_snapshot')
    const gone = await alice.sendTransaction({ to: NOBODY, value: 2n, nonce: 1 })
    await send('evm_mine')
    expect(await provider.getBalance(NOBODY)).toBe(3n)
    await alice.sendTransaction({ to: NOBODY, value: 4n, nonce: 2 })
    await send('evm_revert', id)
    expect(await provider.getBalance(NOBODY)).toBe(0n)
    expect(await send('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
    expect(await send('eth_getTransactionByHash', gone.hash)).toBeNull()
    await send('evm_mine')
    expect((await kept.wait())?.blockNumber).toBe(1)
    expect(await provider.getBalance(NOBODY)).toBe(1n)
  })

  it('is told to those who follow the chain by its new blocks', async () => {
    const id = await send('evm_snapshot')
    const filter = await send('eth_newBlockFilter')
    await pay(alice, NOBODY)
    await send('evm_revert', id)
    await send('eth_getFilterChanges', filter)
    await pay(bob, NOBODY)
    const { hash } = await send('eth_getBlockByNumber', '0x1', false)
    expect(await send('eth_getFilterChanges', filter)).toEqual([hash])
  })
})

describe('accounts', () => {
  it('are set by viem, under either name, and what blocks are made of goes by it', async () => {
    for (const mode of ['hardhat', 'anvil'] as const) {
      const client = createTestClient({ mode, transport: http(node.url) })
        .extend(publicActions)
        .extend(walletActions)
      const address = Wallet.createRandom().address as `0x${string}`
      await client.setBalance({ address, value: parseEther('3') })
      await client.setNonce({ address, nonce: 7 })
      expect(await client.getBalance({ address })).toBe(parseEther('3'))
      expect(await client.getTransactionCount({ address })).toBe(7)

      // PUSH0 SLOAD PUSH0 MSTORE PUSH1 32 PUSH0 RETURN: what its first slot holds.
      const contract = Wallet.createRandom().address as `0x${string}`
      await client.setCode({ address: contract, bytecode: '0x5f545f5260205ff3' })
      const value = `0x${'ab'.repeat(32)}` as const
      await client.setStorageAt({ address: contract, index: 0, value })
      expect(await client.getStorageAt({ address: contract, slot: '0x0' })).toBe(value)
      expect((await client.call({ to: contract })).data).toBe(value)

      await client.mine({ blocks: 1 })
      expect((await client.call({ to: contract })).data).toBe(value)
      expect(await client.getBalance({ address })).toBe(parseEther('3'))
      const miner = Wallet.createRandom().address as `0x${string}`
      await client.setCoinbase({ address: miner })
      await client.mine({ blocks: 1 })
      expect((await client.getBlock()).miner).toBe(miner.toLowerCase())
    }
    const head = await look()
    await close()
    await open()
    expect(await look()).toEqual(head)
  })

  it('may pay from then on what they could not pay for, and no longer what they cannot', async () => {
    await send('evm_setAutomine', false)
    const poor = Wallet.createRandom().connect(provider)
    const payment = { to: NOBODY, value: 5n, gasLimit: 21_000n, gasPrice: 10n ** 9n, nonce: 0 }
    await expect(poor.sendTransaction(payment)).rejects.toThrow(/insufficient funds/)
    await send('hardhat_setBalance', poor.address, `0x${parseEther('1').toString(16)}`)
    const sent = await poor.sendTransaction(payment)
    await send('hardhat_setBalance', poor.address, '0x1')
    expect(await send('txpool_status')).toEqual({ pending: '0x0', queued: '0x1' })
    await send('hardhat_setBalance', poor.address, `0x${parseEther('1').toString(16)}`)
    expect(await send('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
    await send('evm_mine')
    expect((await sent.wait())?.status).toBe(1)
  })

  it('send without a key while they are impersonated, contracts too', async () => {
    const { timestamp } = await send('eth_getBlockByNumber', 'latest', false)
    const lock = await deploy(Lock, Number(timestamp) + DAY)
    const contract = await lock.getAddress()
    for (const from of [NOBODY, contract]) {
      await send('hardhat_setBalance', from, `0x${parseEther('1').toString(16)}`)
      const payment = { from, to: bob.address, value: '0x5', gas: '0x5208' }
      await expect(send('eth_sendTransaction', payment)).rejects.toThrow(/unknown account/)
      await send('hardhat_impersonateAccount', from)
      const nonce = await provider.getTransactionCount(from)
      const hash = await send('eth_sendTransaction', payment)
      expect(await send('eth_getTransactionByHash', hash)).toMatchObject({
        from: from.toLowerCase(),
        nonce: `0x${nonce.toString(16)}`,
      })
      expect(await send('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
      expect(await send('hardhat_stopImpersonatingAccount', from)).toBe(true)
      await expect(send('eth_sendTransaction', payment)).rejects.toThrow(/unknown account/)
    }
    await send('anvil_autoImpersonateAccount', true)
    await send('eth_sendTransaction', {
      from: NOBODY,
      to: bob.address,
      value: '0x5',
      gas: '0x5208',
    })
    const before = await look()
    await close()
    await open()
    expect(await look()).toEqual(before)
  })

  it('get no nonce that is used already', async () => {
    await pay(alice, NOBODY)
    await expect(send('hardhat_setNonce', alice.address, '0x0')).rejects.toThrow(/used twice/)
    expect(await send('hardhat_setNonce', alice.address, '0x1')).toBe(true)
  })
})

describe('a reset', () => {
  it('comes back to the first block, with its accounts and the ways of the start', async () => {
    const before = await look()
    const id = await send('evm_snapshot')
    await send('hardhat_setBalance', alice.address, '0x0')
    await send('evm_increaseTime', 500 * DAY)
    await send('evm_mine')
    await send('evm_setAutomine', false)
    await send('hardhat_impersonateAccount', NOBODY)
    await bob.sendTransaction({ to: NOBODY, value: 1n })
    expect(await send('hardhat_reset')).toBe(true)
    expect(await look()).toEqual(before)
    expect(await send('hardhat_getAutomine')).toBe(true)
    expect(await send('evm_revert', id)).toBe(false)
    await pay(alice, NOBODY)
    const { timestamp } = await send('eth_getBlockByNumber', 'latest', false)
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(DAY)
    expect(await send('anvil_reset', {})).toBeNull()
    await expect(
      send('hardhat_reset', { forking: { jsonRpcUrl: 'http://127.0.0.1:1' } }),
    ).rejects.toThrow(/forks no other chain/)
  })
})

it.each([
  ['evm_revert', ['first']],
  ['evm_revert', [-1]],
  ['hardhat_setBalance', ['0x12', '0x1']],
  ['hardhat_setBalance', [NOBODY, '0x01']],
  ['hardhat_setBalance', [NOBODY, `0x1${'0'.repeat(64)}`]],
  ['anvil_setNonce', [NOBODY, '0x10000000000000000']],
  ['hardhat_setCode', [NOBODY, '0x1']],
  ['hardhat_setStorageAt', [NOBODY, '0x0', '0x1']],
  ['hardhat_setStorageAt', [NOBODY, `0x${'1'.repeat(65)}`, `0x${'1'.repeat(64)}`]],
  ['hardhat_impersonateAccount', []],
  ['anvil_autoImpersonateAccount', ['yes']],
  ['hardhat_reset', ['all']],
])('%s %j is refused, and nothing changes', async (method, params) => {
  const before = await look()
  const [answer] = await askEach(node.url, [{ method, params }])
  expect(answer?.error?.code).toBe(-32602)
  expect(await look()).toEqual(before)
})

it('a node that is for no development has none of it, and only its own name', async () => {
  const other = await startRunningNode(['--extended'])
  onTestFinished(() => other.close())
  const [version] = await askEach(other.url, [{ method: 'web3_clientVersion', params: [] }])
  expect(version?.result).toMatch(/^SatchelChainNode\//)
  // What Hardhat's helpers look for.
  expect((await send('web3_clientVersion')).toLowerCase()).toMatch(/^hardhatnetwork/)
  for (const method of ['evm_snapshot', 'evm_revert', 'hardhat_setBalance', 'anvil_reset']) {
    const [answer] = await askEach(other.url, [{ method, params: [] }])
    expect(answer?.error?.code).toBe(-32601)
  }
})

async function deploy(
  { abi, initCode }: NonNullable<typeof Lock>,
  ...values: unknown[]
): Promise<Contract> {
  const deployed = await new ContractFactory(abi, initCode, alice).deploy(...values)
  await deployed.waitForDeployment()
  return new Contract(await deployed.getAddress(), abi, alice)
}

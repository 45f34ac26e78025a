import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Contract, ContractFactory, JsonRpcProvider, Wallet, WebSocketProvider } from 'ethers'
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  parseEther,
  webSocket,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEV_KEYS } from '../dev-accounts.ts'
import { type RunningNode, startRunningNode } from '../testing/running-node.ts'
import { compileToken, TOKEN_ABI } from '../testing/token.ts'

const CHAIN_ID = 1337
const GWEI = 10n ** 9n
const SUPPLY = parseEther('1000')
const compiled = compileToken()
const accountAt = (index: number) => privateKeyToAccount(DEV_KEYS[index] as Hex)

/** As geth writes one, for a chain that has every fork up to Prague from its start. */
const GENESIS = {
  config: {
    chainId: CHAIN_ID,
    homesteadBlock: 0,
    eip150Block: 0,
    eip155Block: 0,
    eip158Block: 0,
    byzantiumBlock: 0,
    constantinopleBlock: 0,
    petersburgBlock: 0,
    istanbulBlock: 0,
    berlinBlock: 0,
    londonBlock: 0,
    mergeNetsplitBlock: 0,
    terminalTotalDifficulty: 0,
    shanghaiTime: 0,
    cancunTime: 0,
    pragueTime: 0,
    blobSchedule: {
      cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3338477 },
      prague: { target: 6, max: 9, baseFeeUpdateFraction: 5007716 },
    },
  },
  nonce: '0x0',
  timestamp: '0x0',
  extraData: '0x',
  gasLimit: '0x1c9c380',
  difficulty: '0x0',
  baseFeePerGas: '0x3b9aca00',
  alloc: Object.fromEntries(
    DEV_KEYS.map((_, index) => [accountAt(index).address, { balance: '0x21e19e0c9bab2400000' }]),
  ),
}

describe('on a chain with the forks up to Prague', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chain-node-'))
  let node: RunningNode
  beforeAll(async () => {
    const genesis = join(folder, 'genesis.json')
    writeFileSync(genesis, JSON.stringify(GENESIS))
    node = await startRunningNode(['--genesis', genesis])
  })
  afterAll(async () => {
    await node.close()
    rmSync(folder, { recursive: true })
    expect(node.complaints).toEqual([])
  })

  it.each([
    ['HTTP', 0],
    ['WebSocket', 1],
  ] as const)('ethers through %s pays by EIP-1559', async (transport, index) => {
    const options = { pollingInterval: 50, cacheTimeout: -1 }
    const provider =
      transport === 'HTTP'
        ? new JsonRpcProvider(node.url, undefined, options)
        : new WebSocketProvider(node.wsUrl, undefined, options)
    const alice = new Wallet(DEV_KEYS[index] as string, provider)
    const bob = accountAt(5).address
    const fees = await provider.getFeeData()
    expect(fees.maxFeePerGas).toBeGreaterThan(fees.maxPriorityFeePerGas ?? 0n)
    const factory = new ContractFactory(TOKEN_ABI, compiled.token, alice)
    const deployed = await factory.deploy(SUPPLY)
    const creation = await deployed.deploymentTransaction()?.wait()
    expect(creation).toMatchObject({ status: 1, type: 2 })
    const token = new Contract(deployed, TOKEN_ABI, alice)
    const sent = await token.getFunction('transfer')(bob, 5n, {
      maxPriorityFeePerGas: 2n * GWEI,
      maxFeePerGas: 50n * GWEI,
    })
    const receipt = await sent.wait()
    const block = await provider.getBlock(receipt.blockNumber)
    expect(receipt.gasPrice).toBe((block?.baseFeePerGas ?? 0n) + 2n * GWEI)
    expect(await provider.getTransaction(sent.hash)).toMatchObject({
      type: 2,
      maxPriorityFeePerGas: 2n * GWEI,
      accessList: [],
      chainId: BigInt(CHAIN_ID),
    })
    expect(await token.getFunction('balanceOf')(bob)).toBe(5n)
    const legacy = await alice.sendTransaction({ to: bob, value: 1n, type: 0 })
    expect(await legacy.wait()).toMatchObject({ status: 1, type: 0 })
    const accessList = [{ address: bob, storageKeys: [] }]
    const listed = await alice.sendTransaction({ to: bob, value: 1n, type: 1, accessList })
    expect(await listed.wait()).toMatchObject({ status: 1, type: 1, gasUsed: 23_400n })
    await provider.destroy()
  })

  it.each([
    ['HTTP', 2],
    ['WebSocket', 3],
  ] as const)('viem through %s pays by EIP-1559, and delegates by EIP-7702', async (way, index) => {
    const chain = defineChain({
      id: CHAIN_ID,
      name: 'Local',
      nativeCurrency: { name: 'Coin', symbol: 'COIN', decimals: 18 },
      rpcUrls: { default: { http: [node.url] } },
    })
    const transport = way === 'HTTP' ? http(node.url) : webSocket(node.wsUrl)
    const parts = { chain, transport, pollingInterval: 50, cacheTime: 0 }
    const account = accountAt(index)
    const reader = createPublicClient(parts)
    const writer = createWalletClient({ ...parts, account })
    const wait = (hash: Hex) => reader.waitForTransactionReceipt({ hash })
    const created = await wait(
      await writer.deployContract({ abi: TOKEN_ABI, bytecode: compiled.token, args: [SUPPLY] }),
    )
    expect(created).toMatchObject({ status: 'success', type: 'eip1559' })
    const address = created.contractAddress as Hex
    const bob = accountAt(6).address
    const fees = await reader.estimateFeesPerGas()
    expect(fees.maxFeePerGas).toBeGreaterThan(fees.maxPriorityFeePerGas)
    const maxPriorityFeePerGas = 3n * GWEI
    const receipt = await wait(
      await writer.writeContract({
        address,
        abi: TOKEN_ABI,
        functionName: 'transfer',
        args: [bob, 5n],
        maxPriorityFeePerGas,
      }),
    )
    const block = await reader.getBlock({ blockNumber: receipt.blockNumber })
    expect(receipt.effectiveGasPrice).toBe((block.baseFeePerGas ?? 0n) + maxPriorityFeePerGas)
    expect(block).toMatchObject({ withdrawals: [], blobGasUsed: 0n, difficulty: 0n })
    const legacy = await writer.sendTransaction({ to: bob, value: 1n, type: 'legacy' })
    expect(await wait(legacy)).toMatchObject({ status: 'success', type: 'legacy' })

    const authorization = await writer.signAuthorization({
      contractAddress: address,
      executor: 'self',
    })
    const lending = { to: bob, authorizationList: [authorization] }
    // EIP-7702: 21,000, and 25,000 for the account that may have to be made.
    expect(await reader.estimateGas({ account, ...lending })).toBe(46_000n)
    const delegation = await writer.sendTransaction(lending)
    expect(await wait(delegation)).toMatchObject({ type: 'eip7702', status: 'success' })
    // EIP-7702: the code is 0xef0100 and the address.
    const code = await reader.getCode(account)
    expect(code).toBe(`0xef0100${address.slice(2)}`.toLowerCase())
    const name = { address: account.address, abi: TOKEN_ABI, functionName: 'name' } as const
    expect(await reader.readContract(name)).toBe('Example')
    if (way === 'WebSocket') {
      for (const client of [reader, writer]) {
        const socket: { close(): void } = await (
          client.transport as unknown as { getRpcClient(): Promise<{ close(): void }> }
        ).getRpcClient()
        socket.close()
      }
    }
  })
})

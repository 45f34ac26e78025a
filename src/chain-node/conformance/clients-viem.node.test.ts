import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  keccak256,
  nonceManager,
  numberToHex,
  pad,
  parseEther,
  stringToHex,
  webSocket,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { waitForTransactionReceipt } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DEV_KEYS } from '../dev-accounts.ts'
import { type RunningNode, startRunningNode } from '../testing/running-node.ts'
import { compileToken, PROBE_ABI, TOKEN_ABI } from '../testing/token.ts'

const GWEI = 10n ** 9n
const SUPPLY = parseEther('1000')
const compiled = compileToken()
const accountAt = (index: number) => privateKeyToAccount(DEV_KEYS[index] as Hex, { nonceManager })

const TRANSPORTS = [
  { transport: 'HTTP', first: 0 },
  { transport: 'WebSocket', first: 5 },
] as const

/** As programs that use the node set viem up. */
function connect({ url, wsUrl }: RunningNode, transport: 'HTTP' | 'WebSocket', index: number) {
  const chain = defineChain({
    id: 66,
    name: 'Local',
    nativeCurrency: { name: 'Coin', symbol: 'COIN', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const parts = {
    chain,
    transport: transport === 'HTTP' ? http(url, { batch: true }) : webSocket(wsUrl),
    pollingInterval: 50,
    cacheTime: 0,
  }
  const account = accountAt(index)
  return {
    account,
    reader: createPublicClient(parts),
    writer: createWalletClient({ ...parts, account }),
    miner: createTestClient({ ...parts, mode: 'hardhat' }),
  }
}

async function disconnect({ reader, writer, miner }: ReturnType<typeof connect>): Promise<void> {
  for (const client of [reader, writer, miner]) {
    if (client.transport.type === 'webSocket' && 'getRpcClient' in client.transport) {
      ;(await client.transport.getRpcClient()).close()
    }
  }
}

let node: RunningNode
let onDemand: RunningNode
beforeAll(async () => {
  node = await startRunningNode(['--dev'])
  onDemand = await startRunningNode(['--dev', '--on-demand'])
})
afterAll(async () => {
  for (const one of [node, onDemand]) {
    await one.close()
    expect(one.complaints).toEqual([])
  }
})

describe.each(TRANSPORTS)('viem through $transport', ({ transport, first: index }) => {
  let clients: ReturnType<typeof connect>
  let token: { address: Hex; abi: typeof TOKEN_ABI }
  let probe: { address: Hex; abi: typeof PROBE_ABI }
  let creation: Hex
  const bob = accountAt(index + 1).address
  beforeAll(async () => {
    clients = connect(node, transport, index)
    const { reader, writer } = clients
    creation = await writer.deployContract({
      abi: TOKEN_ABI,
      bytecode: compiled.token,
      args: [SUPPLY],
    })
    const other = await writer.deployContract({ abi: PROBE_ABI, bytecode: compiled.probe })
    const [first, second] = await Promise.all(
      [creation, other].map(hash => reader.waitForTransactionReceipt({ hash })),
    )
    token = { address: first?.contractAddress as Hex, abi: TOKEN_ABI }
    probe = { address: second?.contractAddress as Hex, abi: PROBE_ABI }
  })
  afterAll(() => disconnect(clients))

  async function transfer(to: Hex, value: bigint) {
    const { reader, writer } = clients
    const hash = await writer.writeContract({
      ...token,
      functionName: 'transfer',
      args: [to, value],
    })
    return reader.waitForTransactionReceipt({ hash })
  }

  it('deploys a contract, with the fees that the chain has', async () => {
    const { reader } = clients
    const transaction = await reader.getTransaction({ hash: creation })
    expect(transaction).toMatchObject({ nonce: 0, to: null, value: 0n })
    expect(transaction.maxFeePerGas).toBeUndefined()
    expect(await reader.getChainId()).toBe(66)
    expect(await reader.readContract({ ...token, functionName: 'name' })).toBe('Example')
    expect(await reader.getCode(token)).toMatch(/^0x6080/)
    const { gasPrice } = await reader.estimateFeesPerGas({ type: 'legacy' })
    expect(gasPrice).toBeGreaterThan(0n)
  })

  it('moves tokens, after it was simulated', async () => {
    const { reader, writer, account } = clients
    const args = [bob, 5n] as const
    const { request, result } = await reader.simulateContract({
      ...token,
      account,
      functionName: 'transfer',
      args,
    })
    expect(result).toBe(true)
    const hash = await writer.writeContract(request)
    const receipt = await reader.waitForTransactionReceipt({ hash })
    expect(receipt).toMatchObject({ status: 'success', type: 'legacy', to: token.address })
    expect(receipt.logs).toHaveLength(1)
    const balance = { ...token, functionName: 'balanceOf', args: [bob] } as const
    expect(await reader.readContract(balance)).toBe(5n)
    const estimate = { ...token, account, functionName: 'transfer', args } as const
    // A balance that is there already costs less than the first one.
    expect(await reader.estimateContractGas(estimate)).toBeLessThan(receipt.gasUsed)
    expect(await reader.estimateGas({ account, to: bob, value: 1n })).toBe(21_000n)
  })

  it('decodes what reverts', async () => {
    const { reader, account } = clients
    const refusal = await findRevert(
      reader.simulateContract({
        ...token,
        account,
        functionName: 'transfer',
        args: [bob, 2n * SUPPLY],
      }),
    )
    expect(refusal.data).toMatchObject({ errorName: 'InsufficientBalance' })
    expect(refusal.data?.args?.[1]).toBe(2n * SUPPLY)
    const text = await findRevert(reader.readContract({ ...probe, functionName: 'failWithReason' }))
    expect(text).toMatchObject({ reason: 'boom', data: { errorName: 'Error', args: ['boom'] } })
    const divide = { ...probe, functionName: 'divide', args: [1n, 0n] } as const
    // viem's types let only what changes something be estimated.
    const estimate = reader.estimateContractGas(divide as never)
    for (const call of [reader.readContract(divide), estimate]) {
      expect((await findRevert(call)).data).toMatchObject({ errorName: 'Panic', args: [18n] })
    }
    const assertion = { ...probe, functionName: 'failAssertion', args: [7n] } as const
    expect((await findRevert(reader.readContract(assertion))).data?.args).toEqual([1n])
    const silent = await findRevert(reader.readContract({ ...probe, functionName: 'failSilently' }))
    expect(silent.data).toBeUndefined()
  })

  it('mines what reverts, and tells so', async () => {
    const { reader, writer } = clients
    const hash = await writer.writeContract({
      ...token,
      functionName: 'transfer',
      args: [bob, 2n * SUPPLY],
      gas: 100_000n,
    })
    expect(await reader.waitForTransactionReceipt({ hash })).toMatchObject({
      status: 'reverted',
      logs: [],
    })
  })

  it('puts other state into a call', async () => {
    const { reader } = clients
    const rich = '0x00000000000000000000000000000000000000cc'
    // The first variable that is not immutable: a mapping in slot 0 (Solidity, layout of state variables).
    const slot = keccak256(`${pad(rich)}${pad('0x0').slice(2)}`)
    const value = pad(numberToHex(4321n), { size: 32 })
    const read = { ...token, functionName: 'balanceOf', args: [rich] } as const
    for (const part of ['state', 'stateDiff'] as const) {
      const stateOverride = [{ address: token.address, [part]: [{ slot, value }] }]
      expect(await reader.readContract({ ...read, stateOverride })).toBe(4321n)
    }
    expect(await reader.readContract(read)).toBe(0n)
    // Returns the balance of the caller: CALLER BALANCE PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN.
    const account = '0x00000000000000000000000000000000000000aa'
    const to = '0x00000000000000000000000000000000000000bb'
    const { data } = await reader.call({
      account,
      to,
      stateOverride: [
        { address: to, code: '0x333160005260206000f3' },
        { address: account, balance: 99n },
      ],
    })
    expect(data).toBe(pad(numberToHex(99n), { size: 32 }))
  })

  // `poll` is the filters of the node; without it a WebSocket has its subscriptions.
  const ways = transport === 'HTTP' ? [true] : [true, false]
  it.each(ways)('watches blocks, events and what waits (polling: %s)', async poll => {
    const { reader } = clients
    const blocks: bigint[] = []
    const amounts: (bigint | undefined)[] = []
    const events: Hex[] = []
    const pending: Hex[] = []
    const way = poll ? { poll: true as const } : {}
    const onError = (error: Error) => {
      throw error
    }
    const stops = [
      reader.watchBlocks({ ...way, onBlock: ({ number }) => blocks.push(number), onError }),
      reader.watchContractEvent({
        ...token,
        ...way,
        eventName: 'Transfer',
        args: { to: bob },
        onLogs: logs => amounts.push(...logs.map(({ args }) => args.value)),
        onError,
      }),
      reader.watchEvent({
        ...way,
        address: token.address,
        onLogs: logs => events.push(...logs.map(log => log.transactionHash as Hex)),
        onError,
      }),
      reader.watchPendingTransactions({
        ...way,
        onTransactions: hashes => pending.push(...hashes),
        onError,
      }),
    ]
    // Nobody is told when the filters are there.
    await new Promise(resolve => setTimeout(resolve, 500))
    const receipts = [
      await transfer(bob, 11n),
      await transfer(accountAt(index + 2).address, 12n),
      await transfer(bob, 13n),
    ]
    const hashes = receipts.map(({ transactionHash }) => transactionHash)
    const last = receipts.at(-1)?.blockNumber
    await expect.poll(() => amounts).toEqual([11n, 13n])
    await expect.poll(() => events).toEqual(hashes)
    await expect.poll(() => pending).toEqual(hashes)
    await expect.poll(() => blocks).toContain(last)
    for (const stop of stops) stop()
  })

  it('finds logs', async () => {
    const { reader } = clients
    const { blockNumber, blockHash } = await transfer(accountAt(index + 3).address, 21n)
    const filter = { ...token, eventName: 'Transfer', strict: true } as const
    const all = await reader.getContractEvents({ ...filter, fromBlock: 0n })
    expect(all[0]?.args).toMatchObject({ value: SUPPLY, to: clients.account.address })
    expect(all.at(-1)).toMatchObject({ args: { value: 21n }, blockNumber, removed: false })
    expect(await reader.getLogs({ blockHash })).toHaveLength(1)
    const installed = await reader.createContractEventFilter({
      ...filter,
      args: { to: [accountAt(index + 3).address] },
      fromBlock: 0n,
    })
    expect(await reader.getFilterLogs({ filter: installed })).toHaveLength(1)
    expect(await reader.uninstallFilter({ filter: installed })).toBe(true)
  })

  it('reads what was', async () => {
    const { reader, account } = clients
    const carol = accountAt(index + 4).address
    const blockNumber = await reader.getBlockNumber()
    const nonce = await reader.getTransactionCount(account)
    await transfer(carol, 3n)
    const read = { ...token, functionName: 'balanceOf', args: [carol] } as const
    expect(await reader.readContract({ ...read, blockNumber })).toBe(0n)
    expect(await reader.readContract(read)).toBe(3n)
    expect(await reader.getTransactionCount({ ...account, blockNumber })).toBe(nonce)
    expect(await reader.getTransactionCount(account)).toBe(nonce + 1)
    expect(await reader.getBalance({ address: carol, blockNumber })).toBe(parseEther('10000'))
    expect(await reader.getCode({ ...token, blockNumber: 0n })).toBeUndefined()
    const block = await reader.getBlock({
      blockNumber: blockNumber + 1n,
      includeTransactions: true,
    })
    expect(block.baseFeePerGas).toBeNull()
    expect(block.transactions).toHaveLength(1)
  })

  it('keeps the nonces of many at once apart', async () => {
    const { reader, writer, account } = clients
    const nonce = await reader.getTransactionCount(account)
    const hashes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => writer.sendTransaction({ to: bob, value: BigInt(i) })),
    )
    const receipts = await Promise.all(
      hashes.map(hash => reader.waitForTransactionReceipt({ hash })),
    )
    expect(receipts.map(({ status }) => status)).toEqual(hashes.map(() => 'success'))
    expect(await reader.getTransactionCount(account)).toBe(nonce + 20)
  })

  it('lets the node sign for its accounts', async () => {
    const { reader, writer } = clients
    const own = accountAt(index + 2)
    const hash = await writer.sendTransaction({ account: own.address, to: bob, value: 1n })
    expect((await reader.waitForTransactionReceipt({ hash })).status).toBe('success')
    expect(await writer.request({ method: 'eth_accounts' })).toContain(own.address.toLowerCase())
    const message = 'hello'
    const params: [Hex, Hex] = [own.address, stringToHex(message)]
    expect(await writer.request({ method: 'eth_sign', params })).toBe(
      await own.signMessage({ message }),
    )
    // viem's own way is personal_sign without a passphrase.
    expect(await writer.signMessage({ account: own.address, message })).toBe(
      await own.signMessage({ message }),
    )
  })

  it('names why a transaction is not taken', async () => {
    const { writer } = clients
    const payment = { to: bob, gas: 21_000n } as const
    await expect(writer.sendTransaction({ ...payment, value: SUPPLY * 1000n })).rejects.toThrow(
      'exceeds the balance of the account',
    )
    await expect(writer.sendTransaction({ ...payment, nonce: 0 })).rejects.toThrow(
      'Nonce provided for the transaction is lower than the current nonce',
    )
  })
})

describe.each(TRANSPORTS)(
  'viem through $transport, with blocks on demand',
  ({ transport, first: index }) => {
    let clients: ReturnType<typeof connect>
    beforeAll(() => {
      clients = connect(onDemand, transport, index)
    })
    afterAll(() => disconnect(clients))

    it('sees what waits, and that it was replaced', async () => {
      const { reader, writer, miner, account } = clients
      const payment = {
        to: accountAt(index + 1).address,
        value: 1n,
        nonce: 0,
        gas: 21_000n,
      } as const
      const first = await writer.sendTransaction({ ...payment, gasPrice: 2n * GWEI })
      expect(await reader.getTransaction({ hash: first })).toMatchObject({ blockNumber: null })
      expect(await reader.getTransactionCount({ ...account, blockTag: 'pending' })).toBe(1)
      const number = (await reader.getBlockNumber()) + 1n
      const pending = await reader.getBlock({ blockTag: 'pending' })
      expect(pending).toMatchObject({ hash: null, number, transactions: [first] })
      expect(await miner.getTxpoolStatus()).toEqual({ pending: 1, queued: 0 })
      const { pending: waiting } = await miner.getTxpoolContent()
      expect(waiting[account.address]?.['0']).toMatchObject({ hash: first })
      const cheap = writer.sendTransaction({ ...payment, gasPrice: 2n * GWEI + 1n })
      await expect(cheap).rejects.toThrow('replacement transaction underpriced')
      const reasons: string[] = []
      // It knows a replacement only of a transaction that it has seen.
      const seen = vi.spyOn(reader, 'getTransaction')
      const receipt = waitForTransactionReceipt(reader, {
        hash: first,
        onReplaced: ({ reason }) => reasons.push(reason),
      })
      await expect.poll(() => seen).toHaveResolved()
      const second = await writer.sendTransaction({ ...payment, gasPrice: 3n * GWEI })
      await miner.request<{ Method: 'evm_mine'; Parameters: []; ReturnType: Hex }>({
        method: 'evm_mine',
        params: [],
      })
      expect(await receipt).toMatchObject({ transactionHash: second, status: 'success' })
      expect(reasons).toEqual(['repriced'])
      expect((await receipt).effectiveGasPrice).toBe(3n * GWEI)
    })
  },
)

async function findRevert(call: Promise<unknown>): Promise<ContractFunctionRevertedError> {
  const error: unknown = await call.then(
    value => new Error(`fulfilled with ${String(value)}`),
    reason => reason,
  )
  const revert =
    error instanceof BaseError &&
    error.walk(cause => cause instanceof ContractFunctionRevertedError)
  if (!(revert instanceof ContractFunctionRevertedError)) throw error
  return revert
}

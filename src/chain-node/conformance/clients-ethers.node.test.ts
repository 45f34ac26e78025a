import {
  type Contract,
  ContractFactory,
  getCreateAddress,
  isError,
  JsonRpcProvider,
  Log,
  NonceManager,
  parseEther,
  type TransactionReceipt,
  Wallet,
  WebSocketProvider,
} from 'ethers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { DEV_KEYS } from '../dev-accounts.ts'
import { type RunningNode, startRunningNode } from '../testing/running-node.ts'
import { compileToken, PROBE_ABI, TOKEN_ABI } from '../testing/token.ts'

const GWEI = 10n ** 9n
const SUPPLY = parseEther('1000')
const compiled = compileToken()
const keyAt = (index: number): string => DEV_KEYS[index] as string
const addressAt = (index: number) => new Wallet(keyAt(index)).address

it('the compiler uses opcodes that are younger than the fees of the chain', () => {
  expect(compiled.opcodes).toContain('PUSH0')
  expect(compiled.opcodes).toContain('MCOPY')
})

type Provider = JsonRpcProvider | WebSocketProvider

function openHttp({ url }: RunningNode): JsonRpcProvider {
  return new JsonRpcProvider(url, undefined, { pollingInterval: 50, cacheTimeout: -1 })
}

function openSocket({ wsUrl }: RunningNode): WebSocketProvider {
  return new WebSocketProvider(wsUrl, undefined, { pollingInterval: 50, cacheTimeout: -1 })
}

const TRANSPORTS = [
  { transport: 'HTTP', open: openHttp, first: 0 },
  { transport: 'WebSocket', open: openSocket, first: 5 },
]

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

describe.each(TRANSPORTS)('ethers through $transport', ({ open, first }) => {
  let provider: Provider
  let alice: Wallet
  let bob: string
  let token: Contract
  let probe: Contract
  let created: TransactionReceipt
  beforeAll(async () => {
    provider = open(node)
    alice = new Wallet(keyAt(first), provider)
    bob = addressAt(first + 1)
    const factory = new ContractFactory(TOKEN_ABI, compiled.token, alice)
    const deployed = await factory.deploy(SUPPLY)
    created = (await deployed.deploymentTransaction()?.wait()) as TransactionReceipt
    token = deployed as Contract
    const other = await new ContractFactory(PROBE_ABI, compiled.probe, alice).deploy()
    probe = (await other.waitForDeployment()) as Contract
  })
  afterAll(() => close(provider))

  it('deploys a contract, with the fees that the chain has', async () => {
    const transaction = await provider.getTransaction(created.hash)
    expect(transaction).toMatchObject({ type: 0, nonce: 0, chainId: 66n, from: alice.address })
    expect(created).toMatchObject({ status: 1, type: 0, to: null, index: 0 })
    expect(created.contractAddress).toBe(getCreateAddress({ from: alice.address, nonce: 0 }))
    expect(created.gasPrice).toBe(transaction?.gasPrice)
    expect(await provider.getCode(token)).toMatch(/^0x6080/)
    expect(await token.getFunction('name')()).toBe('Example')
    expect(await token.getFunction('totalSupply')()).toBe(SUPPLY)
    expect((await provider.getFeeData()).maxFeePerGas).toBeNull()
  })

  it('moves tokens, and reads the receipt', async () => {
    const before: bigint = await token.getFunction('balanceOf')(bob)
    const receipt: TransactionReceipt = await (await token.getFunction('transfer')(bob, 5n)).wait()
    expect(receipt.status).toBe(1)
    const [event] = receipt.logs.map(log => token.interface.parseLog(log))
    expect(event).toMatchObject({ name: 'Transfer' })
    expect(event?.args.toArray()).toEqual([alice.address, bob, 5n])
    expect(await token.getFunction('balanceOf')(bob)).toBe(before + 5n)
    const block = await provider.getBlock(receipt.blockNumber, true)
    expect(block?.prefetchedTransactions.map(({ hash }) => hash)).toEqual([receipt.hash])
  })

  it('copies memory with what the compiler emits', async () => {
    const value = `0x${'0123456789abcdef'.repeat(10)}`
    expect(await probe.getFunction('copy').staticCall(value)).toBe(value + value.slice(2))
  })

  it.each([
    ['a text', 'failWithReason', [], 'boom', 'Error', ['boom']],
    ['an assertion', 'failAssertion', [7n], 'Panic due to ASSERT_FALSE(1)', 'Panic', [1]],
    ['a division by zero', 'divide', [1n, 0n], 'Panic due to DIVIDE_BY_ZERO(18)', 'Panic', [18]],
  ] as const)('decodes %s of what reverts', async (_, method, args, reason, name, values) => {
    for (const way of ['staticCall', 'estimateGas'] as const) {
      const error = await catchError(probe.getFunction(method)[way](...args))
      if (!isError(error, 'CALL_EXCEPTION')) throw error
      expect(error.reason).toBe(reason)
      expect([error.revert?.name, [...(error.revert?.args ?? [])]]).toEqual([name, values])
    }
  })

  it('decodes an error of the contract, and a revert without data', async () => {
    const error = await catchError(token.getFunction('transfer').staticCall(bob, 2n * SUPPLY))
    if (!isError(error, 'CALL_EXCEPTION')) throw error
    expect(error.revert?.name).toBe('InsufficientBalance')
    expect(error.revert?.args[1]).toBe(2n * SUPPLY)
    const silent = await catchError(probe.getFunction('failSilently').staticCall())
    if (!isError(silent, 'CALL_EXCEPTION')) throw silent
    expect([silent.data, silent.reason]).toEqual(['0x', 'require(false)'])
  })

  it('mines what reverts, and tells so', async () => {
    const sent = await token.getFunction('transfer')(bob, 2n * SUPPLY, { gasLimit: 100_000n })
    const error = await catchError(sent.wait())
    if (!isError(error, 'CALL_EXCEPTION')) throw error
    expect(error.receipt).toMatchObject({ status: 0, hash: sent.hash, logs: [] })
  })

  it('hears of events and of blocks', async () => {
    const amounts: bigint[] = []
    const logs: string[] = []
    const blocks: number[] = []
    await token.on('Transfer', (_from, _to, value) => amounts.push(value))
    const topics = await token.getEvent('Transfer')(null, bob).getTopicFilter()
    await provider.on({ address: await token.getAddress(), topics }, log => {
      logs.push(log.transactionHash)
    })
    await provider.on('block', number => blocks.push(number))
    // The subscription of a listener is asked for, and nobody is told when it is there.
    await new Promise(resolve => setTimeout(resolve, 300))
    const receipts: TransactionReceipt[] = []
    for (const [to, value] of [
      [bob, 11n],
      [addressAt(first + 2), 12n],
      [bob, 13n],
    ]) {
      receipts.push(await (await token.getFunction('transfer')(to, value)).wait())
    }
    await expect.poll(() => amounts).toEqual([11n, 12n, 13n])
    await expect.poll(() => logs).toEqual([receipts[0]?.hash, receipts[2]?.hash])
    const numbers = receipts.map(({ blockNumber }) => blockNumber)
    await expect.poll(() => blocks).toEqual(expect.arrayContaining(numbers))
    await token.removeAllListeners()
  })

  it('finds logs', async () => {
    const from = await provider.getBlockNumber()
    const last = await (await token.getFunction('approve')(bob, 77n)).wait()
    const approvals = await token.queryFilter('Approval', from)
    expect(approvals.map(log => 'args' in log && [...log.args])).toEqual([
      [alice.address, bob, 77n],
    ])
    const mints = await token.queryFilter(token.getEvent('Transfer')(`0x${'00'.repeat(20)}`), 0)
    expect(mints.map(({ transactionHash }) => transactionHash)).toEqual([created.hash])
    const { topicHash } = token.interface.getEvent('Approval') ?? {}
    const logs = await provider.getLogs({ blockHash: last.blockHash, topics: [topicHash ?? null] })
    expect(logs).toHaveLength(1)
    expect(logs[0]).toBeInstanceOf(Log)
    expect(logs[0]).toMatchObject({ address: await token.getAddress(), removed: false, index: 0 })
  })

  it('reads what was', async () => {
    const carol = addressAt(first + 2)
    const block = await provider.getBlockNumber()
    const balances: bigint[] = [
      await token.getFunction('balanceOf')(carol),
      await provider.getBalance(carol),
    ]
    const nonce = await provider.getTransactionCount(alice)
    await (await token.getFunction('transfer')(carol, 3n)).wait()
    await (await alice.sendTransaction({ to: carol, value: 9n })).wait()
    const read = async (blockTag: number | string) => [
      await token.getFunction('balanceOf')(carol, { blockTag }),
      await provider.getBalance(carol, blockTag),
      await provider.getTransactionCount(alice, blockTag),
    ]
    expect(await read(block)).toEqual([...balances, nonce])
    expect(await read('latest')).toEqual([
      (balances[0] ?? 0n) + 3n,
      (balances[1] ?? 0n) + 9n,
      nonce + 2,
    ])
    expect(await provider.getCode(token, created.blockNumber - 1)).toBe('0x')
    expect(await provider.getStorage(probe, 0n)).toBe(`0x${'00'.repeat(32)}`)
    const error = await catchError(provider.getBalance(carol, 1_000_000))
    expect(JSON.stringify(error)).toContain('header not found')
  })

  it('keeps the nonces of many at once apart', async () => {
    const dave = new NonceManager(new Wallet(keyAt(first + 3), provider))
    const sent = await Promise.all(
      Array.from({ length: 20 }, (_, i) => dave.sendTransaction({ to: bob, value: BigInt(i) })),
    )
    const receipts = await Promise.all(sent.map(transaction => transaction.wait()))
    expect(receipts.map(receipt => receipt?.status)).toEqual(sent.map(() => 1))
    expect(sent.map(({ nonce }) => nonce).sort((a, b) => a - b)).toEqual(sent.map((_, i) => i))
    expect(await dave.getNonce()).toBe(20)
  })

  it('lets the node sign for its accounts', async () => {
    const erin = await new JsonRpcProvider(node.url).getSigner(addressAt(first + 4))
    onTestFinished(() => erin.provider.destroy())
    const sent = await erin.sendTransaction({ to: bob, value: 1n })
    expect((await sent.wait())?.status).toBe(1)
    const own = new Wallet(keyAt(first + 4))
    expect(await erin._legacySignMessage('hello')).toBe(await own.signMessage('hello'))
  })

  it('names why a transaction is not taken', async () => {
    const poor = Wallet.createRandom(provider)
    const payment = { to: bob, value: 1n, gasLimit: 21_000n }
    expect(isError(await catchError(poor.sendTransaction(payment)), 'INSUFFICIENT_FUNDS')).toBe(
      true,
    )
    const old = alice.sendTransaction({ ...payment, nonce: 0 })
    expect(isError(await catchError(old), 'NONCE_EXPIRED')).toBe(true)
  })
})

it('ethers puts several requests into one, and gets their answers', async () => {
  const provider = openHttp(onDemand)
  onTestFinished(() => provider.destroy())
  const sizes: number[] = []
  await provider.on('debug', ({ action, payload }) => {
    if (action === 'sendRpcPayload' && Array.isArray(payload)) sizes.push(payload.length)
  })
  await provider.getNetwork()
  const indexes = [...DEV_KEYS.keys()]
  const balances = await Promise.all(indexes.map(index => provider.getBalance(addressAt(index))))
  expect(balances).toEqual(indexes.map(() => parseEther('10000')))
  expect(Math.max(...sizes)).toBeGreaterThanOrEqual(10)
})

describe.each(TRANSPORTS)(
  'ethers through $transport, with blocks on demand',
  ({ transport, open, first: index }) => {
    let provider: Provider
    let alice: Wallet
    beforeAll(() => {
      provider = open(onDemand)
      alice = new Wallet(keyAt(index), provider)
    })
    afterAll(() => close(provider))

    it('sees what waits, and that it was replaced', async () => {
      const seen: string[] = []
      await provider.on('pending', hash => seen.push(hash))
      await new Promise(resolve => setTimeout(resolve, 300))
      const payment = { to: addressAt(1), gasPrice: 2n * GWEI, nonce: 0 }
      const first = await alice.sendTransaction({ ...payment, value: 1n })
      // Through HTTP ethers asks its filter once a block.
      if (transport === 'WebSocket') await expect.poll(() => seen).toEqual([first.hash])
      const pooled = await provider.getTransaction(first.hash)
      expect(pooled).toMatchObject({ blockNumber: null, value: 1n })
      expect(await provider.getTransactionReceipt(first.hash)).toBeNull()
      expect(await provider.getTransactionCount(alice, 'pending')).toBe(1)
      expect(await provider.getTransactionCount(alice)).toBe(0)

      const cheap = alice.sendTransaction({ ...payment, gasPrice: 2n * GWEI + 1n, value: 1n })
      expect(isError(await catchError(cheap), 'REPLACEMENT_UNDERPRICED')).toBe(true)
      const waiting = catchError(first.wait())
      const second = await alice.sendTransaction({ ...payment, gasPrice: 3n * GWEI, value: 1n })
      expect(await provider.getTransaction(first.hash)).toBeNull()
      await new Promise(resolve => setTimeout(resolve, 200))
      await provider.send('evm_mine', [])
      const error = await waiting
      if (!isError(error, 'TRANSACTION_REPLACED')) throw error
      expect([error.reason, error.replacement.hash]).toEqual(['repriced', second.hash])
      expect(error.receipt).toMatchObject({ status: 1, gasUsed: 21_000n })
      await expect.poll(() => seen).toEqual([first.hash, second.hash])
      expect((await provider.getTransactionReceipt(second.hash))?.gasPrice).toBe(3n * GWEI)
    })
  },
)

/** What ethers still has to say, as the end of subscriptions, is said before the connection ends. */
async function close(provider: Provider): Promise<void> {
  await provider.removeAllListeners()
  await provider.getBlockNumber()
  await provider.destroy()
}

async function catchError(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    value => {
      throw new Error(`fulfilled with ${String(value)}`)
    },
    (error: unknown) => error,
  )
}

import { verifyMessage } from 'ethers'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Contract, type ContractAbi, Web3, WebSocketProvider } from 'web3'
import { DEV_KEYS } from '../dev-accounts.ts'
import { type RunningNode, startRunningNode } from '../testing/running-node.ts'
import { compileToken, PROBE_ABI, TOKEN_ABI } from '../testing/token.ts'

const SUPPLY = 10n ** 21n
const compiled = compileToken()
const addressAt = (index: number) => privateKeyToAccount(DEV_KEYS[index] as Hex).address

describe.each(['HTTP', 'WebSocket'] as const)('web3 through %s', transport => {
  let node: RunningNode
  let web3: Web3
  let token: ReturnType<typeof createToken>
  let creation: { blockNumber: bigint; transactionHash: string }
  const [alice, bob] = [addressAt(0), addressAt(1)]
  beforeAll(async () => {
    node = await startRunningNode(['--dev', '--personal-import-raw-key'])
    web3 = new Web3({
      provider: transport === 'HTTP' ? node.url : new WebSocketProvider(node.wsUrl),
      config: {
        // web3 takes EIP-1559's fees unless it is told not to, and throws where a chain has none.
        defaultTransactionType: '0x0',
        transactionPollingInterval: 50,
        // For more it would wait for blocks that do not come.
        transactionConfirmationBlocks: 1,
      },
    })
    const draft = createToken(web3)
    const sending = draft
      .deploy({ data: compiled.token, arguments: [SUPPLY] as never })
      .send({ from: alice, gas: '2000000' })
    const mined = new Promise<typeof creation>(resolve => {
      sending.once('receipt', receipt => {
        const { blockNumber, transactionHash } = receipt
        resolve({ blockNumber: BigInt(blockNumber), transactionHash: String(transactionHash) })
      })
    })
    token = createToken(web3, (await sending).options.address)
    creation = await mined
  })
  afterAll(async () => {
    if (transport === 'WebSocket') web3.provider?.disconnect()
    await node.close()
    expect(node.complaints).toEqual([])
  })

  it('knows the node', async () => {
    expect(await web3.eth.getChainId()).toBe(66n)
    expect(await web3.eth.net.getId()).toBe(66n)
    expect(await web3.eth.getNodeInfo()).toMatch(
      /^HardhatNetwork\/compatible\/SatchelChainNode\/v0\.0\.0\//,
    )
    expect(await web3.eth.getProtocolVersion()).toBe('0x41')
    expect(await web3.eth.isSyncing()).toBe(false)
    expect(await web3.eth.getGasPrice()).toBeGreaterThan(0n)
    expect(await web3.eth.getAccounts()).toHaveLength(10)
  })

  it('deploys a contract and moves tokens', async () => {
    expect(await prepare(token, 'name').call()).toBe('Example')
    expect(await prepare(token, 'totalSupply').call()).toBe(SUPPLY)
    const receipt = await prepare(token, 'transfer', bob, 5n).send({ from: alice })
    expect(receipt.status).toBe(1n)
    expect(receipt.events?.Transfer?.returnValues).toMatchObject({
      from: alice,
      to: bob,
      value: 5n,
    })
    expect(await prepare(token, 'balanceOf', bob).call()).toBe(5n)
    const transaction = await web3.eth.getTransaction(receipt.transactionHash)
    expect(transaction).toMatchObject({ nonce: 1n, from: alice.toLowerCase() })
    expect(await web3.eth.getCode(token.options.address as string)).toMatch(/^0x6080/)
    expect(await web3.eth.getBlockTransactionCount(receipt.blockNumber)).toBe(1n)
  })

  it('signs with a key of its own', async () => {
    const own = web3.eth.accounts.privateKeyToAccount(DEV_KEYS[2] as string)
    const gasPrice = await web3.eth.getGasPrice()
    const payment = { from: own.address, to: bob, value: 7n, gas: 21_000n, gasPrice, nonce: 0n }
    const signed = await own.signTransaction({ ...payment, chainId: 66n })
    const receipt = await web3.eth.sendSignedTransaction(signed.rawTransaction)
    expect([receipt.status, receipt.transactionHash]).toEqual([1n, signed.transactionHash])
    const again = web3.eth.sendSignedTransaction(signed.rawTransaction)
    await expect(again).rejects.toThrow(/nonce too low|already known/)
  })

  it('decodes what reverts', async () => {
    const refusal = await catchError(
      prepare(token, 'transfer', bob, 2n * SUPPLY).call({ from: alice }),
    )
    expect(refusal).toMatchObject({
      cause: { errorName: 'InsufficientBalance', errorArgs: { required: 2n * SUPPLY } },
    })
    const other = new web3.eth.Contract<ContractAbi>(PROBE_ABI)
    const probe = await other.deploy({ data: compiled.probe }).send({ from: alice })
    const text = await catchError(prepare(probe, 'failWithReason').call())
    expect(text).toMatchObject({ cause: { errorName: 'Error', errorArgs: { message: 'boom' } } })
    const panic = await catchError(prepare(probe, 'divide', 1n, 0n).call())
    expect(panic).toMatchObject({ cause: { errorName: 'Panic', errorArgs: { code: 18n } } })
    const estimate = await catchError(prepare(probe, 'failWithReason').estimateGas())
    expect(estimate).toMatchObject({
      cause: { code: 3, data: expect.stringMatching(/^0x08c379a0/) },
    })
  })

  it('finds logs, and reads what was', async () => {
    const height = await web3.eth.getBlockNumber()
    const before: bigint = await prepare(token, 'balanceOf', bob).call()
    await prepare(token, 'transfer', bob, 3n).send({ from: alice })
    expect(await prepare(token, 'balanceOf', bob).call({}, height)).toBe(before)
    expect(await prepare(token, 'balanceOf', bob).call()).toBe(before + 3n)
    expect(await web3.eth.getBalance(addressAt(9), 0)).toBe(10_000n * 10n ** 18n)
    expect(await web3.eth.getTransactionCount(alice, 0)).toBe(0n)
    const range = { fromBlock: 0, filter: { to: alice } }
    const events = await token.getPastEvents('Transfer' as never, range)
    expect(events).toMatchObject([
      { transactionHash: creation.transactionHash, returnValues: { value: SUPPLY } },
    ])
    const logs = await web3.eth.getPastLogs({
      fromBlock: Number(height),
      toBlock: 'latest',
      address: token.options.address as string,
    })
    expect(logs.at(-1)).toMatchObject({ blockNumber: height + 1n })
  })

  it('has nonces of many at once that follow each other', async () => {
    const carol = addressAt(3)
    const receipts = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        web3.eth.sendTransaction({ from: carol, to: bob, value: i, nonce: i, gas: 21_000 }),
      ),
    )
    expect(receipts.map(({ status }) => status)).toEqual(receipts.map(() => 1n))
    expect(await web3.eth.getTransactionCount(carol)).toBe(10n)
  })

  it('signs messages with the keys of the node', async () => {
    const message = web3.utils.utf8ToHex('hello')
    const signature = await web3.eth.sign(message, alice)
    expect(verifyMessage('hello', String(signature))).toBe(alice)
    expect(signature).toBe(
      await privateKeyToAccount(DEV_KEYS[0] as Hex).signMessage({ message: 'hello' }),
    )
  })

  it('manages accounts', async () => {
    const { personal } = web3.eth
    const created = await personal.newAccount('secret')
    expect(await personal.getAccounts()).toContain(created)
    await web3.eth.sendTransaction({ from: alice, to: created, value: 10n ** 18n })
    const message = web3.utils.utf8ToHex('hello')
    await expect(web3.eth.sign(message, created)).rejects.toThrow('authentication needed')

    const signature = await personal.sign(message, created, 'secret')
    expect(verifyMessage('hello', signature)).toBe(created)
    expect(await personal.ecRecover(message, signature)).toBe(created.toLowerCase())
    await expect(personal.sign(message, created, 'wrong')).rejects.toThrow('could not decrypt key')

    const payment = { from: created, to: bob, value: '1', gas: '21000' }
    const hash = await personal.sendTransaction(payment, 'secret')
    expect(await web3.eth.getTransactionReceipt(hash)).toMatchObject({ status: 1n })
    await expect(web3.eth.sendTransaction(payment)).rejects.toThrow('authentication needed')

    expect(await personal.unlockAccount(created, 'secret', 60)).toBe(true)
    expect(await web3.eth.sign(message, created)).toBe(signature)
    expect((await web3.eth.sendTransaction(payment)).status).toBe(1n)
    expect(await personal.lockAccount(created)).toBe(true)
    await expect(web3.eth.sign(message, created)).rejects.toThrow('authentication needed')

    const { privateKey, address } = web3.eth.accounts.create()
    const imported = await personal.importRawKey(privateKey.slice(2), 'other')
    expect(imported).toBe(address.toLowerCase())
    expect(verifyMessage('hello', await personal.sign(message, address, 'other'))).toBe(address)
  })

  // HTTP carries no subscriptions.
  if (transport === 'WebSocket')
    it('is told of blocks, logs and what waits', async () => {
      const heads = await web3.eth.subscribe('newHeads')
      const logs = await web3.eth.subscribe('logs', { address: token.options.address as string })
      const pending = await web3.eth.subscribe('pendingTransactions')
      const events = token.events.Transfer?.({ filter: { to: bob } })
      if (!events) throw new Error('the contract has the event')
      const seen = { heads: [], logs: [], pending: [], events: [] } as Record<string, unknown[]>
      const note = (name: string, value: unknown) => void seen[name]?.push(value)
      heads.on('data', ({ number }) => note('heads', BigInt(number ?? -1)))
      logs.on('data', log => note('logs', 'transactionHash' in log && log.transactionHash))
      pending.on('data', hash => note('pending', hash))
      events.on('data', ({ returnValues }) => note('events', returnValues.value))
      await new Promise(resolve => setTimeout(resolve, 200))
      const receipt = await prepare(token, 'transfer', bob, 31n).send({ from: alice })
      await expect
        .poll(() => seen)
        .toMatchObject({
          heads: [receipt.blockNumber],
          logs: [receipt.transactionHash],
          pending: [receipt.transactionHash],
          events: [31n],
        })
      for (const one of [heads, logs, pending]) await one.unsubscribe()
      await events.unsubscribe()
      await prepare(token, 'transfer', bob, 32n).send({ from: alice })
      expect(seen.heads).toHaveLength(1)
    })
})

it('web3 sees what waits, and that it was replaced', async () => {
  const node = await startRunningNode(['--dev', '--on-demand'])
  onTestFinished(() => node.close())
  const { eth } = new Web3(node.url)
  const own = eth.accounts.privateKeyToAccount(DEV_KEYS[0] as string)
  const sign = (gasPrice: bigint) =>
    own.signTransaction({
      to: addressAt(1),
      value: 1n,
      gas: 21_000n,
      nonce: 0n,
      chainId: 66n,
      gasPrice,
    })
  const send = async (gasPrice: bigint) => {
    const { rawTransaction, transactionHash } = await sign(gasPrice)
    const sending = eth.sendSignedTransaction(rawTransaction)
    // It waits for a receipt, which comes for one of them alone.
    sending.catch(() => {})
    await new Promise((resolve, reject) => {
      sending.once('transactionHash', resolve).once('error', reject)
    })
    return transactionHash
  }
  const first = await send(2_000_000_000n)
  expect(await eth.getTransactionCount(own.address, 'pending')).toBe(1n)
  expect(await eth.getTransactionCount(own.address)).toBe(0n)
  expect(await eth.getTransaction(first)).toMatchObject({ hash: first, value: 1n })
  expect((await eth.getBlock('pending')).transactions).toEqual([first])
  await expect(send(2_000_000_001n)).rejects.toThrow('replacement transaction underpriced')
  const second = await send(3_000_000_000n)
  expect((await eth.getBlock('pending')).transactions).toEqual([second])
  await eth.currentProvider?.request({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] })
  expect(await eth.getTransactionReceipt(second)).toMatchObject({ status: 1n })
  await expect(eth.getTransaction(first)).rejects.toThrow('Transaction not found')
})

function createToken(web3: Web3, address?: string) {
  return new web3.eth.Contract<ContractAbi>(TOKEN_ABI, address)
}

function prepare(contract: Contract<ContractAbi>, name: string, ...args: unknown[]) {
  const method = contract.methods[name]
  if (!method) throw new Error(`the contract has no ${name}`)
  return method(...args)
}

async function catchError(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    value => {
      throw new Error(`fulfilled with ${String(value)}`)
    },
    (error: unknown) => error,
  )
}

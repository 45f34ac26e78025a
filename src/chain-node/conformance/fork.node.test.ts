import { rmSync } from 'node:fs'
import { encodeDeployData, encodeFunctionData, type Hex, keccak256, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { askAll, askEach } from '../testing/json-rpc-client.ts'
import { startLyingProxy } from '../testing/lying-proxy.ts'
import { type RunningNode, startRunningNode } from '../testing/running-node.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'
import { compileToken, TOKEN_ABI } from '../testing/token.ts'

/** What of blocks, receipts and other objects is looked at here. */
interface Answered {
  readonly number: Hex
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timestamp: Hex
  readonly baseFeePerGas: Hex
  readonly transactions: readonly Hex[]
  readonly contractAddress: Hex
  readonly transactionHash: Hex
  readonly status: Hex
  readonly gasUsedRatio: readonly number[]
}

const OWNER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const SENDER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const HOLDERS = Array.from({ length: 200 }, (_, i): Hex => `0x${keccak256(toHex(i)).slice(26)}`)
const FRESH = '0x00000000000000000000000000000000000f2e54'

let remote: RunningNode
let token: Hex
/** The block that is forked, and what it has. */
let base: Answered

beforeAll(async () => {
  remote = await startRunningNode(['--dev', '--profile', 'prague'])
  const deployed = await send(remote.url, {
    from: OWNER,
    gas: '0x200000',
    data: encodeDeployData({ abi: TOKEN_ABI, bytecode: compileToken().token, args: [10n ** 24n] }),
  })
  token = deployed.contractAddress
  await askAll(remote.url, [{ method: 'evm_setAutomine', params: [false] }])
  const transfers = HOLDERS.map((holder, index) => ({
    method: 'eth_sendTransaction',
    params: [{ from: OWNER, to: token, gas: '0x20000', data: transfer(holder, BigInt(index + 1)) }],
  }))
  await askAll(remote.url, transfers)
  await ask(remote.url, 'evm_mine')
  await askAll(remote.url, [{ method: 'evm_setAutomine', params: [true] }])
  await send(remote.url, { from: SENDER, to: HOLDERS[0], value: '0xde0b6b3a7640000' })
  base = await ask(remote.url, 'eth_getBlockByNumber', 'latest', false)
  // What comes after the block is none of the fork's.
  await send(remote.url, { from: OWNER, to: token, data: transfer(HOLDERS[1] as Hex, 1_000n) })
}, 30_000)
afterAll(() => remote?.close())

async function ask<T = Answered>(url: string, method: string, ...params: unknown[]): Promise<T> {
  return (await askAll<T>(url, [{ method, params }]))[0] as T
}

async function send(url: string, transaction: object): Promise<Answered> {
  const hash = await ask<Hex>(url, 'eth_sendTransaction', { gas: '0x100000', ...transaction })
  return ask(url, 'eth_getTransactionReceipt', hash)
}

const transfer = (to: Hex, value: bigint) =>
  encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args: [to, value] })
const balanceOf = (owner: Hex, block: unknown = 'latest') => ({
  method: 'eth_call',
  params: [
    {
      to: token,
      data: encodeFunctionData({ abi: TOKEN_ABI, functionName: 'balanceOf', args: [owner] }),
    },
    block,
  ],
})

/** A fork of the block, of the remote itself or of what stands before it. */
async function startFork(url: string = remote.url, ...more: string[]): Promise<RunningNode> {
  const node = await startRunningNode(['--dev', '--fork', url, '--fork-block', block(), ...more])
  onTestFinished(() => node.close())
  return node
}
const block = () => String(BigInt(base.number))

/** What a request is refused with. */
async function refusal(url: string, method: string, ...params: unknown[]): Promise<string> {
  const [answer] = await askEach(url, [{ method, params }])
  return answer?.error ? `${answer.error.code} ${answer.error.message}` : 'no error'
}

describe('a fork', () => {
  it('answers as the remote does at its block, and goes on from there', async () => {
    const fork = await startFork()
    const at = base.number
    const questions = [
      ...HOLDERS.flatMap(holder => [
        balanceOf(holder, at),
        { method: 'eth_getBalance', params: [holder, at] },
      ]),
      { method: 'eth_getCode', params: [token, at] },
      { method: 'eth_getTransactionCount', params: [OWNER, at] },
      { method: 'eth_getBalance', params: [OWNER, at] },
      ...[0, 1, 2, 3].map(slot => ({
        method: 'eth_getStorageAt',
        params: [token, toHex(slot), at],
      })),
      { method: 'eth_chainId', params: [] },
      { method: 'net_version', params: [] },
      { method: 'eth_getBlockByNumber', params: [at, true] },
      { method: 'eth_getBlockByNumber', params: ['0x1', true] },
      { method: 'eth_getBlockByNumber', params: ['earliest', false] },
      { method: 'eth_getBlockByHash', params: [base.hash, false] },
      { method: 'eth_getBlockReceipts', params: [at] },
      { method: 'eth_getTransactionByHash', params: [base.transactions[0]] },
      { method: 'eth_getTransactionReceipt', params: [base.transactions[0]] },
      { method: 'eth_getBalance', params: [OWNER, '0x0'] },
      { method: 'eth_getLogs', params: [{ fromBlock: '0x0', toBlock: at }] },
      { method: 'eth_feeHistory', params: ['0x2', at, [50]] },
    ]
    expect(await askAll(fork.url, questions)).toEqual(await askAll(remote.url, questions))
    expect(await ask(fork.url, 'eth_blockNumber')).toBe(at)
    await ask(fork.url, 'evm_mine')
    const next = await ask(fork.url, 'eth_getBlockByNumber', 'latest', false)
    expect(BigInt(next.number)).toBe(BigInt(at) + 1n)
    expect(next.parentHash).toBe(base.hash)
    expect(BigInt(next.timestamp)).toBeGreaterThan(BigInt(base.timestamp))
    const there = await ask(remote.url, 'eth_getBlockByNumber', next.number, false)
    expect(next.baseFeePerGas).toBe(there.baseFeePerGas)
    expect(fork.complaints).toEqual([])
  })

  it('changes what it holds, and nothing of the remote', async () => {
    const fork = await startFork()
    const before = await askAll(
      remote.url,
      HOLDERS.map(holder => balanceOf(holder)),
    )
    const holder = HOLDERS[50] as Hex
    await askAll(fork.url, [
      { method: 'hardhat_impersonateAccount', params: [holder] },
      { method: 'hardhat_setBalance', params: [holder, '0xde0b6b3a7640000'] },
    ])
    const receipt = await send(fork.url, { from: holder, to: token, data: transfer(FRESH, 51n) })
    expect(receipt.status).toBe('0x1')
    const [sent, received] = await askAll(fork.url, [balanceOf(holder), balanceOf(FRESH)])
    expect([BigInt(sent as Hex), BigInt(received as Hex)]).toEqual([0n, 51n])
    expect(
      await askAll(
        remote.url,
        HOLDERS.map(one => balanceOf(one)),
      ),
    ).toEqual(before)
    // At the block itself it is as it was.
    const [old] = await askAll(fork.url, [balanceOf(holder, base.number)])
    expect(BigInt(old as Hex)).toBe(51n)
    // The remote's logs and those of the fork, and none of those that the remote got later.
    const filter = { fromBlock: base.number, toBlock: 'latest', address: token }
    const logs = await ask<Answered[]>(fork.url, 'eth_getLogs', { ...filter, fromBlock: '0x0' })
    expect(logs).toHaveLength(HOLDERS.length + 2)
    expect(logs.at(-1)?.transactionHash).toBe(receipt.transactionHash)
    const history = await ask(fork.url, 'eth_feeHistory', '0x4', 'latest', [])
    expect(history.gasUsedRatio).toHaveLength(4)
  })

  it('has snapshots, and is reset to its block', async () => {
    const fork = await startFork()
    const id = await ask(fork.url, 'evm_snapshot')
    await send(fork.url, { from: OWNER, to: token, data: transfer(FRESH, 9n) })
    expect(await ask(fork.url, 'evm_revert', id)).toBe(true)
    expect(BigInt((await askAll(fork.url, [balanceOf(FRESH)]))[0] as Hex)).toBe(0n)
    await send(fork.url, { from: OWNER, to: FRESH, value: '0x5' })
    await ask(fork.url, 'hardhat_reset')
    expect(await ask(fork.url, 'eth_blockNumber')).toBe(base.number)
    expect(await ask(fork.url, 'eth_getBalance', FRESH, 'latest')).toBe('0x0')
    expect(await ask(fork.url, 'eth_getBalance', OWNER, 'latest')).toBe(toHex(10n ** 22n))
  })

  it('refuses proofs of its state, and tells what it is', async () => {
    const fork = await startFork()
    expect(await refusal(fork.url, 'eth_getProof', token, [], 'latest')).toMatch(
      /^-32000 eth_getProof is not answered on a fork/,
    )
    expect(await ask(fork.url, 'hardhat_metadata')).toMatchObject({
      forkedNetwork: {
        chainId: 66,
        forkBlockNumber: Number(base.number),
        forkBlockHash: base.hash,
      },
    })
  })
})

describe('a fork whose remote is gone', () => {
  it('answers what it knows after a restart, and says clearly what it cannot have', async () => {
    const folder = createTemporaryFolder()
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const proxy = await startLyingProxy(remote.url)
    const first = await startRunningNode([
      '--dev',
      '--fork',
      proxy.url,
      '--fork-block',
      block(),
      '--data',
      folder,
    ])
    await askAll(first.url, [balanceOf(HOLDERS[3] as Hex)])
    await send(first.url, { from: OWNER, to: token, data: transfer(HOLDERS[3] as Hex, 5n) })
    await first.close()
    proxy.isDown = true
    const again = await startRunningNode(['--dev', '--fork', proxy.url, '--data', folder])
    onTestFinished(() => again.close())
    expect(await askAll(again.url, [balanceOf(HOLDERS[3] as Hex)])).toEqual([
      toHex(9, { size: 32 }),
    ])
    expect(
      await refusal(
        again.url,
        balanceOf(HOLDERS[4] as Hex).method,
        ...balanceOf(HOLDERS[4] as Hex).params,
      ),
    ).toMatch(/^-32000 the remote node http:\/\/127.0.0.1:\d+ cannot be reached/)
    // Others go on; what cannot be run waits, and is in a block as soon as the remote is back.
    const stuck = await ask<Hex>(again.url, 'eth_sendTransaction', {
      from: SENDER,
      to: FRESH,
      value: '0x7',
      gas: '0x5208',
    })
    const fine = await send(again.url, {
      from: OWNER,
      to: token,
      data: transfer(HOLDERS[3] as Hex, 1n),
    })
    expect(fine.status).toBe('0x1')
    expect(await ask(again.url, 'eth_getTransactionReceipt', stuck)).toBeNull()
    expect(await ask(again.url, 'txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
    proxy.isDown = false
    await expect
      .poll(() => ask(again.url, 'eth_getTransactionReceipt', stuck), { timeout: 5_000 })
      .toMatchObject({ status: '0x1' })
    expect(await ask(again.url, 'eth_getBalance', FRESH, 'latest')).toBe('0x7')
  })
})

import { type Hex, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startLyingProxy } from '../testing/forks/lying-proxy.ts'
import {
  type Answered,
  ask,
  findRefusal,
  HOLDERS,
  OWNER,
  openTokenChain,
  SENDER,
  send,
  type TokenChain,
  transfer,
} from '../testing/forks/token-chain.ts'
import { askAll } from '../testing/json-rpc-client.ts'
import { type RunningNode, startRunningNode } from '../testing/running-node.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'

const FRESH = '0x00000000000000000000000000000000000f2e54'

let chain: TokenChain
let remote: RunningNode
let token: Hex
let base: Answered
let balanceOf: TokenChain['balanceOf']
let startFork: TokenChain['startFork']

beforeAll(async () => {
  chain = await openTokenChain()
  ;({ remote, token, base, balanceOf, startFork } = chain)
}, 30_000)
afterAll(() => remote?.close())

const block = () => String(BigInt(base.number))

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

  it('fetches what a block of many transactions reads in few requests', async () => {
    const proxy = await startLyingProxy(remote.url)
    const fork = await startFork(proxy.url)
    await ask(fork.url, 'evm_setAutomine', false)
    const receivers = HOLDERS.slice(0, 100)
    const hashes = await askAll<Hex>(
      fork.url,
      receivers.map(holder => ({
        method: 'eth_sendTransaction',
        params: [{ from: OWNER, to: token, gas: '0x20000', data: transfer(holder, 1n) }],
      })),
    )
    const before = proxy.count
    await ask(fork.url, 'evm_mine')
    // Accounts, code and slots are 100 and more; batches have 40 of them.
    expect(proxy.count - before).toBeLessThan(15)
    const receipts = await askAll<Answered>(
      fork.url,
      hashes.map(hash => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    )
    expect(new Set(receipts.map(({ status }) => status))).toEqual(new Set(['0x1']))
  })

  it('takes code, slots and nonces that are set over those of the remote', async () => {
    const fork = await startFork()
    await ask(fork.url, 'hardhat_setStorageAt', token, '0x63', `0x${'00'.repeat(31)}09`)
    await ask(fork.url, 'hardhat_setNonce', HOLDERS[2], '0x5')
    await ask(fork.url, 'hardhat_setCode', HOLDERS[2], '0x6001')
    const questions = [
      { method: 'eth_getStorageAt', params: [token, '0x63', 'latest'] },
      { method: 'eth_getTransactionCount', params: [HOLDERS[2], 'latest'] },
      { method: 'eth_getCode', params: [HOLDERS[2], 'latest'] },
      balanceOf(HOLDERS[2] as Hex),
    ]
    expect(await askAll(fork.url, questions)).toEqual([
      toHex(9, { size: 32 }),
      '0x5',
      '0x6001',
      toHex(3, { size: 32 }),
    ])
    expect(await ask(fork.url, 'eth_getCode', HOLDERS[2], base.number)).toBe('0x')
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
    expect(await findRefusal(fork.url, 'eth_getProof', token, [], 'latest')).toMatch(
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

describe('the data folder of a fork', () => {
  it('is that of one block of one chain', async () => {
    const folder = createTemporaryFolder()
    const other = await startRunningNode(['--dev', '--network', 'testnet'])
    onTestFinished(() => other.close())
    const at = ['--data', folder, '--dev']
    await (await startRunningNode([...at, '--fork', remote.url, '--fork-block', block()])).close()
    const start = (...args: string[]) => startRunningNode([...at, ...args])
    await expect(start()).rejects.toThrow(/holds a fork of chain 66 at block \d+ .*--fork URL/)
    await expect(start('--fork', other.url)).rejects.toThrow(/and not one of chain 65/)
    await expect(start('--fork', remote.url, '--fork-block', '1')).rejects.toThrow(
      /holds a fork of chain 66 at block \d+ .* and not one of block 1/,
    )
    await expect(start('--fork', remote.url, '--profile', 'istanbul')).rejects.toThrow(
      /its own are those of prague/,
    )
    const own = createTemporaryFolder()
    await (await startRunningNode(['--data', own, '--dev'])).close()
    await expect(startRunningNode(['--data', own, '--dev', '--fork', remote.url])).rejects.toThrow(
      /holds a chain of its own/,
    )
    // Blocks of the remote that came since change nothing.
    const again = await start('--fork', remote.url)
    expect(await ask(again.url, 'eth_blockNumber')).toBe(base.number)
    await again.close()
  })
})

describe('the URL of a remote', () => {
  it('gives its password to the remote alone', async () => {
    const proxy = await startLyingProxy(remote.url)
    const url = `${proxy.url.replace('//', '//ann:secret%21@')}/v3/0123456789abcdef?key=quiet-key`
    const fork = await startFork(url)
    expect(proxy.headers.authorization).toBe(`Basic ${btoa('ann:secret!')}`)
    proxy.isDown = true
    const text = await findRefusal(fork.url, 'eth_getBalance', FRESH, 'latest')
    expect(text).toMatch(/cannot be reached/)
    await ask(fork.url, 'eth_sendTransaction', { from: OWNER, to: FRESH, gas: '0x5208' })
    expect(fork.complaints.join()).toMatch(/cannot be reached/)
    const said = text + fork.complaints.join()
    for (const secret of ['secret', '0123456789abcdef', 'quiet-key']) {
      expect(said).not.toContain(secret)
    }
  })
})

describe('a fork whose remote is gone', () => {
  it('answers what it knows after a restart, and says clearly what it cannot have', async () => {
    const folder = createTemporaryFolder()
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
      await findRefusal(
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

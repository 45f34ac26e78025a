import { type Hex, keccak256, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type ChildFactory,
  compileChildFactory,
  drawRun,
  findChild,
} from '../testing/forks/child-factory.ts'
import { startLyingProxy } from '../testing/forks/lying-proxy.ts'
import { ask, OWNER } from '../testing/forks/token-chain.ts'
import { askAll } from '../testing/json-rpc-client.ts'
import { type RunningNode, startRunningNode } from '../testing/running-node.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'

const SENDERS = [1, 2, 3].map(number => privateKeyToAccount(keccak256(toHex(number))))
/** One is not there before somebody sends to it. */
const ACCOUNTS: readonly Hex[] = [
  ...SENDERS.map(({ address }) => address.toLowerCase() as Hex),
  `0x${'0f'.repeat(20)}`,
]
const SALTS = [0, 1, 2, 3]
const SLOTS = [0, 1, 2, 3].map(slot => toHex(slot, { size: 32 }))
const BEFORE = 25
const AFTER = 40
const SEEDS = (process.env.FORK_SEEDS ?? '1').split(',').map(Number)

const contracts: ChildFactory = compileChildFactory()

/** A chain of random transactions, which a fork has as well from some block on. */
interface Setting {
  readonly remote: RunningNode
  readonly factory: Hex
  readonly children: readonly Hex[]
  readonly random: (below: number) => number
  readonly nonces: number[]
  time: number
}

/** xorshift32. */
function createRandom(seed: number): (below: number) => number {
  let state = Math.imul(seed, 2_654_435_761) | 1
  return below => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

async function openSetting(profile: string, seed: number): Promise<Setting> {
  const remote = await startRunningNode(['--dev', '--profile', profile])
  onTestFinished(() => remote.close())
  for (const to of ACCOUNTS.slice(0, SENDERS.length)) {
    const value = toHex(10n ** 20n)
    await ask(remote.url, 'eth_sendTransaction', { from: OWNER, to, value, gas: '0x5208' })
  }
  const deploy = { from: OWNER, data: contracts.initCode, gas: '0x200000' }
  const hash = await ask<Hex>(remote.url, 'eth_sendTransaction', deploy)
  const { contractAddress: factory } = await ask<{ contractAddress: Hex }>(
    remote.url,
    'eth_getTransactionReceipt',
    hash,
  )
  const funds = { from: OWNER, to: factory, value: '0xffffff', gas: '0x10000' }
  await ask(remote.url, 'eth_sendTransaction', funds)
  return {
    remote,
    factory,
    children: SALTS.map(salt => findChild(factory, contracts, salt)),
    random: createRandom(seed),
    nonces: SENDERS.map(() => 0),
    time: Math.floor(Date.now() / 1000) + 1_000,
  }
}

async function draw(setting: Setting, profile: string, lastBlock: number): Promise<Hex> {
  const { random, factory, children, nonces } = setting
  const who = random(SENDERS.length)
  const nonce = nonces[who] as number
  nonces[who] = nonce + 1
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const account = SENDERS[who] as PrivateKeyAccount
  const base = { nonce, gas: 2_000_000n, gasPrice: 3_000_000_000n, chainId: 66 }
  const accessList = [{ address: pick(children), storageKeys: SLOTS.slice(0, random(3)) }]
  const prices = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
  switch (random(8)) {
    case 0:
      return account.signTransaction({
        ...base,
        type: 'legacy',
        to: pick([...ACCOUNTS, ...children]),
        value: BigInt(random(3)),
      })
    case 1:
      return account.signTransaction({ ...base, type: 'legacy', data: contracts.childInitCode })
    default: {
      const data = drawRun(random, factory, children, ACCOUNTS, lastBlock)
      const call = { to: factory, data, value: BigInt(random(3)) }
      if (profile === 'prague' && random(4) === 0) {
        const { gasPrice: _, ...rest } = base
        return account.signTransaction({ ...rest, ...prices, ...call, type: 'eip1559', accessList })
      }
      if (random(4) === 0) {
        return account.signTransaction({ ...base, ...call, type: 'eip2930', accessList })
      }
      return account.signTransaction({ ...base, ...call, type: 'legacy' })
    }
  }
}

/** The receipt of a transaction in a block of its own, but for the block's hash, which has the state root in it. */
async function mine(url: string, raw: Hex, time: number): Promise<unknown> {
  await ask(url, 'evm_setNextBlockTimestamp', time)
  const hash = await ask<Hex>(url, 'eth_sendRawTransaction', raw)
  const receipt = await ask<{ logs: object[] }>(url, 'eth_getTransactionReceipt', hash)
  return {
    ...receipt,
    blockHash: null,
    logs: receipt.logs.map(log => ({ ...log, blockHash: null })),
  }
}

function listQuestions({ factory, children }: Setting) {
  return [...ACCOUNTS, factory, ...children, `0x${'00'.repeat(20)}`].flatMap(address => [
    { method: 'eth_getBalance', params: [address, 'latest'] },
    { method: 'eth_getTransactionCount', params: [address, 'latest'] },
    { method: 'eth_getCode', params: [address, 'latest'] },
    ...SLOTS.map(slot => ({ method: 'eth_getStorageAt', params: [address, slot, 'latest'] })),
  ])
}

/** @returns how many of the transactions were run on both */
async function compare(profile: string, seed: number, gives: 'proofs' | 'no proofs') {
  const setting = await openSetting(profile, seed)
  const { remote } = setting
  for (let i = 0; i < BEFORE; i++) {
    await mine(remote.url, await draw(setting, profile, 3), setting.time++)
  }
  const base = Number(await ask<Hex>(remote.url, 'eth_blockNumber'))
  const proxy = await startLyingProxy(remote.url)
  if (gives === 'no proofs') {
    proxy.change = ({ method, answer }) => {
      if (method !== 'eth_getProof') return
      delete answer.result
      answer.error = { code: -32601, message: 'the method eth_getProof does not exist' }
    }
  }
  const folder = createTemporaryFolder()
  const args = ['--dev', '--fork', proxy.url, '--profile', profile, '--data', folder]
  let fork = await startRunningNode([...args, '--fork-block', String(base)])
  for (let i = 0; i < AFTER; i++) {
    if (i === AFTER / 2) {
      await fork.close()
      fork = await startRunningNode(args)
    }
    const raw = await draw(setting, profile, base)
    const time = setting.time++
    const expected = await mine(remote.url, raw, time)
    expect(await mine(fork.url, raw, time), `transaction ${i} of seed ${seed}`).toEqual(expected)
  }
  const questions = listQuestions(setting)
  expect(await askAll(fork.url, questions)).toEqual(await askAll(remote.url, questions))
  await fork.close()
  return fork.complaints
}

describe.each(SEEDS)('random transactions of seed %i on a fork and on the chain itself', seed => {
  it.each(['default', 'prague'])(
    'do the same with the rules %s',
    { timeout: 60_000 },
    async profile => {
      expect(await compare(profile, seed, 'proofs')).toEqual([])
    },
  )

  it('do the same where the remote gives no proofs', { timeout: 60_000 }, async () => {
    expect(await compare('default', seed + 1_000, 'no proofs')).toEqual([
      expect.stringContaining('gives no proofs'),
    ])
  })
})

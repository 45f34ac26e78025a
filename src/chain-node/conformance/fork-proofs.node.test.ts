import { type Hex, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLyingProxy } from '../testing/forks/lying-proxy.ts'
import {
  type Answered,
  ask,
  findRefusal,
  HOLDERS,
  OWNER,
  openTokenChain,
  type TokenChain,
  transfer,
} from '../testing/forks/token-chain.ts'
import { askAll } from '../testing/json-rpc-client.ts'
import type { RunningNode } from '../testing/running-node.ts'

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

describe('a remote that lies', () => {
  type Change = (result: Record<string, unknown>) => void

  async function startLied(asked: string, change: Change, of: Hex = token): Promise<RunningNode> {
    const proxy = await startLyingProxy(remote.url)
    const fork = await startFork(proxy.url)
    proxy.change = ({ method, params, answer }) => {
      if (method !== asked || params[0] !== of) return
      if (typeof answer.result === 'string') answer.result = `${answer.result.slice(0, -2)}77`
      else change(answer.result as Record<string, unknown>)
    }
    return fork
  }
  const LIE = /^-32000 what the remote node says of .* is not what the root of its state proves/
  const NO_WAY = /^-32000 the remote node's proof of .* does not lead there/

  it.each([
    ['balance', '0x77'],
    ['nonce', '0x7'],
    ['codeHash', `0x${'77'.repeat(32)}`],
    ['storageHash', `0x${'77'.repeat(32)}`],
  ])('about the %s of an account is found out', async (field, value) => {
    const fork = await startLied('eth_getProof', result => {
      result[field] = value
    })
    expect(await findRefusal(fork.url, 'eth_getBalance', token, 'latest')).toMatch(LIE)
  })

  it('about code is found out', async () => {
    const fork = await startLied('eth_getCode', () => {})
    expect(await findRefusal(fork.url, 'eth_getCode', token, 'latest')).toMatch(LIE)
  })

  it('about an account that is not there is found out', async () => {
    const change: Change = result => {
      result.balance = '0x77'
    }
    const fork = await startLied('eth_getProof', change, FRESH)
    expect(await findRefusal(fork.url, 'eth_getBalance', FRESH, 'latest')).toMatch(LIE)
  })

  it('with a proof that ends early is found out', async () => {
    const fork = await startLied('eth_getProof', result => (result.accountProof as Hex[]).pop())
    expect(await findRefusal(fork.url, 'eth_getBalance', token, 'latest')).toMatch(NO_WAY)
  })

  it('about a slot is found out, and the truth is taken later', async () => {
    const proxy = await startLyingProxy(remote.url)
    const fork = await startFork(proxy.url)
    const lie: Change = slot => {
      slot.value = '0x77'
    }
    const cut: Change = slot => (slot.proof as Hex[]).pop()
    let change = lie
    proxy.change = ({ answer }) => {
      const { storageProof = [] } = (answer.result ?? {}) as { storageProof?: never[] }
      for (const slot of storageProof) change(slot)
    }
    const { method, params } = balanceOf(HOLDERS[7] as Hex)
    expect(await findRefusal(fork.url, method, ...params)).toMatch(LIE)
    change = cut
    expect(await findRefusal(fork.url, method, ...params)).toMatch(NO_WAY)
    // Nor is a block made of it.
    const transaction = { from: OWNER, to: token, data: transfer(HOLDERS[7] as Hex, 1n) }
    const hash = await ask<Hex>(fork.url, 'eth_sendTransaction', { ...transaction, gas: '0x20000' })
    expect(await ask(fork.url, 'eth_getTransactionReceipt', hash)).toBeNull()
    proxy.change = null
    await ask(fork.url, 'evm_mine')
    expect(await ask(fork.url, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
    expect(await askAll(fork.url, [balanceOf(HOLDERS[7] as Hex)])).toEqual([toHex(9, { size: 32 })])
  })

  it('about the header of the block is found out at the start', async () => {
    const proxy = await startLyingProxy(remote.url)
    proxy.change = ({ method, answer }) => {
      if (method !== 'eth_getBlockByNumber') return
      Object.assign(answer.result as object, { stateRoot: `0x${'77'.repeat(32)}` })
    }
    await expect(startFork(proxy.url)).rejects.toThrow(
      `the header of block ${block()} is not what its hash says`,
    )
  })

  it('about the hash of an older block is found out, and the true one is there for BLOCKHASH', async () => {
    const proxy = await startLyingProxy(remote.url)
    const fork = await startFork(proxy.url)
    const number = BigInt(base.number) - 3n
    // PUSH8 number, BLOCKHASH, PUSH0, MSTORE, RETURN of the word
    const data = `0x67${number.toString(16).padStart(16, '0')}405f5260205ff3`
    proxy.change = ({ method, answer }) => {
      if (method !== 'eth_getBlockByNumber') return
      const parentHash = `0x${'77'.repeat(32)}`
      Object.assign(answer.result as object, { parentHash })
    }
    expect(await findRefusal(fork.url, 'eth_call', { data }, 'latest')).toMatch(
      /^-32000 the header of block \d+ is not what its hash says/,
    )
    proxy.change = null
    const { hash } = await ask(remote.url, 'eth_getBlockByNumber', toHex(number), false)
    expect(await ask<Hex>(fork.url, 'eth_call', { data }, 'latest')).toBe(hash)
  })

  it('with an answer of the wrong kind is told which method and field it is', async () => {
    const fork = await startLied('eth_getProof', result => {
      result.balance = 'much'
    })
    expect(await findRefusal(fork.url, 'eth_getBalance', token, 'latest')).toMatch(
      /eth_getProof.balance is not a quantity/,
    )
  })
})

describe('a remote without eth_getProof', () => {
  it('is taken at its word, and that is said once', async () => {
    const proxy = await startLyingProxy(remote.url)
    proxy.change = ({ method, answer }) => {
      if (method !== 'eth_getProof') return
      delete answer.result
      answer.error = { code: -32601, message: 'the method eth_getProof does not exist' }
    }
    const fork = await startFork(proxy.url)
    const questions = HOLDERS.slice(0, 20).map(holder => balanceOf(holder, base.number))
    expect(await askAll(fork.url, questions)).toEqual(await askAll(remote.url, questions))
    expect(fork.complaints).toEqual([expect.stringContaining('the remote node gives no proofs')])
  })
})

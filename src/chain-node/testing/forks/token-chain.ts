import { encodeDeployData, encodeFunctionData, type Hex, keccak256, toHex } from 'viem'
import { onTestFinished } from 'vitest'
import { askAll, askEach } from '../json-rpc-client.ts'
import { type RunningNode, startRunningNode } from '../running-node.ts'
import { compileToken, TOKEN_ABI } from '../token.ts'

/** What of blocks, receipts and other objects of JSON-RPC tests of forks look at. */
export interface Answered {
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

/** Two accounts of `--dev`. */
export const OWNER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
export const SENDER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
/** The holder at index i has i + 1 of the token. */
export const HOLDERS = Array.from(
  { length: 200 },
  (_, i): Hex => `0x${keccak256(toHex(i)).slice(26)}`,
)

/** A node with a token and its holders, and the block that is to be forked, after which it has others. */
export interface TokenChain {
  readonly remote: RunningNode
  readonly token: Hex
  readonly base: Answered
  readonly balanceOf: (
    owner: Hex,
    block?: unknown,
  ) => { method: string; params: readonly unknown[] }
  /** A fork of the block for the time of a test, of the node itself or of what stands before it. */
  readonly startFork: (url?: string, ...more: string[]) => Promise<RunningNode>
}

export async function openTokenChain(): Promise<TokenChain> {
  const remote = await startRunningNode(['--dev', '--profile', 'prague'])
  const { url } = remote
  const args = [10n ** 24n] as const
  const { contractAddress: token } = await send(url, {
    from: OWNER,
    gas: '0x200000',
    data: encodeDeployData({ abi: TOKEN_ABI, bytecode: compileToken().token, args }),
  })
  await ask(url, 'evm_setAutomine', false)
  await askAll(
    url,
    HOLDERS.map((holder, index) => {
      const data = transfer(holder, BigInt(index + 1))
      return {
        method: 'eth_sendTransaction',
        params: [{ from: OWNER, to: token, gas: '0x20000', data }],
      }
    }),
  )
  await ask(url, 'evm_mine')
  await ask(url, 'evm_setAutomine', true)
  await send(url, { from: SENDER, to: HOLDERS[0], value: '0xde0b6b3a7640000' })
  const base = await ask(url, 'eth_getBlockByNumber', 'latest', false)
  await send(url, { from: OWNER, to: token, data: transfer(HOLDERS[1] as Hex, 1_000n) })
  return {
    remote,
    token,
    base,
    balanceOf(owner, block = 'latest') {
      const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'balanceOf', args: [owner] })
      return { method: 'eth_call', params: [{ to: token, data }, block] }
    },
    async startFork(of = url, ...more) {
      const number = String(BigInt(base.number))
      const node = await startRunningNode(['--dev', '--fork', of, '--fork-block', number, ...more])
      onTestFinished(() => node.close())
      return node
    },
  }
}

export async function ask<T = Answered>(
  url: string,
  method: string,
  ...params: unknown[]
): Promise<T> {
  return (await askAll<T>(url, [{ method, params }]))[0] as T
}

/** @returns the receipt */
export async function send(url: string, transaction: object): Promise<Answered> {
  const hash = await ask<Hex>(url, 'eth_sendTransaction', { gas: '0x100000', ...transaction })
  return ask(url, 'eth_getTransactionReceipt', hash)
}

/** Calldata of the token. */
export function transfer(to: Hex, value: bigint): Hex {
  return encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args: [to, value] })
}

/** Code and text with which a request is refused. */
export async function findRefusal(
  url: string,
  method: string,
  ...params: unknown[]
): Promise<string> {
  const [answer] = await askEach(url, [{ method, params }])
  return answer?.error ? `${answer.error.code} ${answer.error.message}` : 'no error'
}

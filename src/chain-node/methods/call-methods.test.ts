import { describe, expect, it } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import type { Header } from '../engine/block.ts'
import { toBytes } from '../engine/block-environment.ts'
import type { Engine } from '../engine/engine.ts'
import { createEngine } from '../engine/ethereumjs-engine.ts'
import { readGenesis } from '../engine/genesis/genesis.ts'
import { createRules } from '../engine/rules.ts'
import { callMethod } from '../testing/call-method.ts'
import { setUpEngine, WALLETS } from '../testing/engine-setup.ts'
import {
  readExecutionApisBlocks,
  readExecutionApisCall,
  readExecutionApisGenesis,
} from '../testing/execution-apis.ts'
import { describeSampleNext } from '../testing/sample-blocks.ts'
import { createStateMemory } from '../testing/state-memory.ts'
import { listCallMethods } from './call-methods.ts'

describe('listCallMethods (execution-apis)', () => {
  it('executes the chain to its head and answers the questions', async () => {
    const rules = await createRules(readGenesis(readExecutionApisGenesis()))
    const memory = createStateMemory()
    const headers: Header[] = []
    const engine = await createEngine(rules, memory.source, number => {
      const header = headers[Number(number)]
      return header === undefined ? null : toBytes(header.hash)
    })
    const genesis = await engine.createGenesis()
    memory.store(genesis.writes)
    headers.push(genesis.block.header)
    const blocks = new Map([[genesis.block.header.hash, genesis.block]])
    for (const rlp of readExecutionApisBlocks()) {
      const block = engine.decodeBlock(rlp)
      const executed = await engine.executeBlock(
        headers.at(-1) as Header,
        block,
        hash => blocks.get(hash) ?? null,
      )
      memory.store(executed.writes)
      expect(executed.block.header).toEqual(block.header)
      headers.push(block.header)
      blocks.set(block.header.hash, block)
    }
    const table = listCallMethods(describeServices(headers, engine))
    const names = [
      'eth_call/call-callenv-options-eip1559',
      'eth_call/call-eip7702-delegation',
      'eth_call/call-revert-abi-error',
      'eth_call/call-revert-abi-panic',
      'eth_estimateGas/estimate-failed-call',
      'eth_estimateGas/estimate-simple-transfer',
    ]
    for (const name of names) {
      const { request, response } = readExecutionApisCall(name)
      const { result, error } = response
      const answer = await callMethod(table, request.method, ...(request.params ?? []))
      expect(answer, name).toEqual(error === undefined ? { result } : { error })
    }
    // geth leaves off at 1.5 % too much, and its answer stands for the schema alone; ours is exact.
    const estimate = readExecutionApisCall('eth_estimateGas/estimate-successful-call')
    const answer = await callMethod(table, 'eth_estimateGas', ...(estimate.request.params ?? []))
    const [ours, theirs] = [answer.result, estimate.response.result].map(Number) as [number, number]
    expect(ours).toBeLessThanOrEqual(theirs)
    expect(ours).toBeGreaterThan(theirs * 0.985)
  })
})

describe('listCallMethods', () => {
  it('answers at a block, with overrides, and tells what is wrong', async () => {
    const setup = await setUpEngine()
    const table = listCallMethods(describeServices(setup.headers, setup.engine))
    const to = `0x${'cc'.repeat(20)}`
    const from = WALLETS[0]?.address
    const code = '0x602a60005260206000f3'
    const word = `0x${'2a'.padStart(64, '0')}`
    const call = (...params: unknown[]) => callMethod(table, 'eth_call', ...params)
    expect(await call({ to })).toEqual({ result: '0x' })
    expect(await call({ to }, 'pending', { [to]: { code } })).toEqual({ result: word })
    expect(await call({ to }, null, { [to]: { code } })).toEqual({ result: word })
    expect(await call({ to }, '0x5')).toEqual({
      error: { code: -32000, message: 'header not found' },
    })
    expect(await call({ to: '0x12' })).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/^invalid argument 0: /) },
    })
    expect(await call({ to }, 'latest', { [to]: { code: '0x5f5ffd' } })).toEqual({
      error: { code: 3, message: 'execution reverted', data: '0x' },
    })
    expect(await call({ to }, 'latest', { [to]: { code: '0xfe' } })).toEqual({
      error: { code: -32000, message: 'invalid opcode: INVALID' },
    })
    const estimate = await callMethod(table, 'eth_estimateGas', { from, to, value: '0x1' })
    expect(estimate).toEqual({ result: '0x5208' })
  })
})

function describeServices(headers: readonly Header[], engine: Engine) {
  const chain = describeChain(headers)
  return { chain, engine, producer: { describeNext: () => describeSampleNext(chain.head()) } }
}

function describeChain(headers: readonly Header[]): Chain {
  const chain: Pick<Chain, 'genesis' | 'head' | 'findHeader'> = {
    genesis: headers[0] as Header,
    head: () => headers.at(-1) as Header,
    findHeader: id =>
      headers.find(header =>
        typeof id === 'bigint' ? header.number === id : header.hash === id,
      ) ?? null,
  }
  return chain as Chain
}

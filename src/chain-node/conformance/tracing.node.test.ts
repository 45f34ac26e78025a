import { Interface } from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningNode, startRunningNode } from '../testing/running-node.ts'

const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const NOBODY = '0x00000000000000000000000000000000deadbeef'

/** Adds one to its first slot and gives what it holds then. */
const COUNTER = '6000546001018060005560005260206000f3'
/** Runs for as long as there is gas. */
const LOOP = '5b600056'
/** Reverts with `Error("no")`. */
const REASON = new Interface(['function Error(string)']).encodeFunctionData('Error', ['no'])

type Json = { [name: string]: unknown }

/** Code that makes a contract of other code. */
function deploy(code: string): string {
  const length = (code.length / 2).toString(16).padStart(2, '0')
  return `0x60${length}600c60003960${length}6000f3${code}`
}

describe('the tracers of a node for development', () => {
  let node: RunningNode
  let counter: string
  let hashes: string[]
  let block: Json

  async function ask(method: string, ...params: unknown[]) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(node.url, { method: 'POST', headers, body })
    return JSON.parse(await response.text())
  }

  const send = async (fields: object): Promise<string> =>
    (await ask('eth_sendTransaction', { from: SENDER, gas: '0x30d40', ...fields })).result

  async function find(hash: string): Promise<Json> {
    return (await ask('eth_getTransactionReceipt', hash)).result
  }

  beforeAll(async () => {
    node = await startRunningNode(['--dev', '--on-demand'])
    const creation = await send({ data: deploy(COUNTER) })
    await ask('evm_mine')
    counter = (await find(creation)).contractAddress as string
    hashes = [await send({ to: counter }), await send({ to: counter }), await send({ to: counter })]
    await ask('evm_mine')
    block = (await ask('eth_getBlockByNumber', 'latest', false)).result
    await ask('evm_mine')
  })
  afterAll(() => node.close())

  it('show a transaction upon those that stand before it in its block', async () => {
    const { result } = await ask('debug_traceTransaction', hashes[1], { tracer: 'callTracer' })
    const receipt = await find(hashes[1] as string)
    expect(result).toEqual({
      ...{ from: SENDER, to: counter, gas: '0x30d40', input: '0x', value: '0x0', type: 'CALL' },
      gasUsed: receipt.gasUsed,
      output: `0x${'2'.padStart(64, '0')}`,
    })
    const { result: states } = await ask('debug_traceTransaction', hashes[2], {
      tracer: 'prestateTracer',
      tracerConfig: { diffMode: true },
    })
    const slot = `0x${'0'.repeat(64)}`
    expect(states.pre[counter].storage).toEqual({ [slot]: `0x${'2'.padStart(64, '0')}` })
    expect(states.post[counter]).toEqual({ storage: { [slot]: `0x${'3'.padStart(64, '0')}` } })
  })

  it('show all of a block by its number and its hash', async () => {
    const config = { tracer: 'callTracer' }
    const { result } = await ask('debug_traceBlockByNumber', block.number, config)
    expect(result.map((entry: Json) => entry.txHash)).toEqual(hashes)
    expect(result.map((entry: { result: Json }) => Number(entry.result.output))).toEqual([1, 2, 3])
    expect((await ask('debug_traceBlockByHash', block.hash, config)).result).toEqual(result)
  })

  it('show every opcode where no tracer is named, as far as the limit goes', async () => {
    const { result } = await ask('debug_traceTransaction', hashes[0], { enableMemory: true })
    expect(result).toMatchObject({ failed: false, returnValue: `0x${'1'.padStart(64, '0')}` })
    expect(result.structLogs.map(({ op }: Json) => op)).toEqual(
      'PUSH1 SLOAD PUSH1 ADD DUP1 PUSH1 SSTORE PUSH1 MSTORE PUSH1 PUSH1 RETURN'.split(' '),
    )
    expect(result.structLogs[1]).toEqual({
      ...{ pc: 2, op: 'SLOAD', gas: 178_997, gasCost: 2_100, depth: 1, stack: ['0x0'] },
      storage: { [`0x${'0'.repeat(64)}`]: `0x${'0'.repeat(64)}` },
    })
    expect(result.structLogs[11].memory).toEqual([`0x${'1'.padStart(64, '0')}`])
    const short = (await ask('debug_traceTransaction', hashes[0], { limit: 1, disableStack: true }))
      .result.structLogs
    expect(short).toEqual([{ pc: 0, op: 'PUSH1', gas: 179_000, gasCost: 3, depth: 1 }])
  })

  it('show a call with other code, in another block, before a transaction of a block', async () => {
    const call = { from: SENDER, to: counter }
    const trace = async (where: unknown, config: object) =>
      (await ask('debug_traceCall', call, where, { tracer: 'callTracer', ...config })).result
    expect(Number((await trace('latest', {})).output)).toBe(4)
    expect(Number((await trace(block.number, { txIndex: '0x1' })).output)).toBe(2)
    expect(Number((await trace('0x1', {})).output)).toBe(1)
    const number = '0x4360005260206000f3'
    const stateOverrides = { [counter]: { code: number } }
    const blockOverrides = { number: '0x1234' }
    expect(Number((await trace('latest', { stateOverrides, blockOverrides })).output)).toBe(0x1234)
    const noGas = await ask('debug_traceCall', { ...call, gas: '0x1' }, 'latest', {})
    expect(noGas.error).toEqual({
      code: -32000,
      message: 'tracing failed: intrinsic gas too low: have 1, want 21000',
    })
  })

  it('say why calls fail, and what they said', async () => {
    const bytes = REASON.slice(2)
    const length = (bytes.length / 2).toString(16).padStart(2, '0')
    const reverts = `0x60${length}600c60003960${length}6000fd${bytes}`
    const stateOverrides = { [NOBODY]: { code: reverts } }
    const config = { tracer: 'callTracer', stateOverrides }
    const { result } = await ask('debug_traceCall', { to: NOBODY }, 'latest', config)
    expect(result).toMatchObject({
      error: 'execution reverted',
      revertReason: 'no',
      output: REASON,
    })
  })

  it('end with the time that is asked for', async () => {
    const stateOverrides = { [NOBODY]: { code: `0x${LOOP}` } }
    const config = { tracer: 'callTracer', timeout: '20ms', stateOverrides }
    expect(await ask('debug_traceCall', { to: NOBODY }, 'latest', config)).toMatchObject({
      error: { code: -32000, message: 'execution timeout' },
    })
    const logs = await ask('debug_traceCall', { to: NOBODY }, 'latest', { stateOverrides })
    expect(logs.error.message).toMatch(/execution timeout|the trace is too large/)
  }, 20_000)

  it('refuse what they do not know', async () => {
    const message = async (method: string, ...params: unknown[]) =>
      (await ask(method, ...params)).error?.message
    const js = { tracer: '{result: function() {}, fault: function() {}}' }
    expect(await message('debug_traceTransaction', hashes[0], js)).toMatch(/none in JavaScript/)
    expect(await message('debug_traceTransaction', `0x${'12'.repeat(32)}`)).toBe(
      'transaction not found',
    )
    expect(await message('debug_traceBlockByNumber', '0x0')).toBe('genesis is not traceable')
    expect(await message('debug_traceBlockByNumber', '0x1234')).toBe('block #4660 not found')
    expect(await message('debug_traceCall', { to: NOBODY }, 'pending')).toBe(
      'tracing on top of pending is not supported',
    )
    expect(await message('debug_traceTransaction', hashes[0], { timeout: '1 year' })).toBe(
      'time: invalid duration "1 year"',
    )
    expect(node.complaints).toEqual([])
  })
})

describe('the tracers of a node', () => {
  it.each([
    ['are refused where it was not started for them', [], -32601],
    ['are there with --extended', ['--extended'], -32602],
  ] as const)('%s', async (_, args, code) => {
    const node = await startRunningNode([...args])
    const names = ['Transaction', 'Call', 'BlockByNumber', 'BlockByHash']
    const methods = [...names.map(name => `debug_trace${name}`), 'eth_simulateV1']
    const requests = methods.map((method, id) => ({ jsonrpc: '2.0', id, method, params: [] }))
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(requests)
    const answers = await (await fetch(node.url, { method: 'POST', headers, body })).json()
    await node.close()
    expect(answers.map(({ error }: { error: { code: number } }) => error.code)).toEqual(
      methods.map(() => code),
    )
  })
})

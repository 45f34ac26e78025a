import { Wallet } from 'ethers'
import { describe, expect, it } from 'vitest'
import { listTracerVectors, readResult, traceVector } from '../../testing/tracer-vectors.ts'
import { createTraceSize, TraceSizeError } from './trace-size.ts'

const CALL_TRACER = { tracer: 'callTracer', onlyTopCall: false, withLog: false } as const
const PRESTATE_TRACER = {
  tracer: 'prestateTracer',
  ...{ diffMode: false, disableCode: false, disableStorage: false, includeEmpty: false },
} as const

const calls = listTracerVectors('call-tracer.json')
const prestates = listTracerVectors('prestate-tracer.json')

describe("geth's own tests", () => {
  it('are 25 of the call tracer, and 24 of the prestate tracer', () => {
    expect([calls.length, prestates.length]).toEqual([25, 24])
  })

  it.each(calls)('of calls are passed: %s', async (_, vector) => {
    const options = { ...CALL_TRACER, ...vector.tracerConfig }
    expect(await traceVector(vector, options)).toEqual(readResult(vector.result))
  })

  it.each(prestates)('of states are passed: %s', async (_, vector) => {
    const options = { ...PRESTATE_TRACER, ...vector.tracerConfig }
    expect(await traceVector(vector, options)).toEqual(readResult(vector.result))
  })
})

// Programs and figures of geth's TestInternals.
const KEY = '0xb71c71a67e1177ad4e901695e1b4b9ee17ae16c6668d313eac2f96dbcda3f291'
const CONTRACT = '0x00000000000000000000000000000000deadbeef'
const SENDER = '0x71562b71999873db5b286df957af199ec94617f7'

/** What a tracer says of a call of a contract with that code, with 80,000 gas. */
async function traceProgram(
  code: `0x${string}`,
  options: Parameters<typeof traceVector>[1],
): Promise<unknown> {
  const input = await new Wallet(KEY).signTransaction({
    ...{ type: 0, chainId: 1, nonce: 0, to: CONTRACT, gasLimit: 80_000, gasPrice: 1 },
  })
  const forks = 'homestead eip150 eip155 eip158 byzantium constantinople petersburg'.split(' ')
  return traceVector(
    {
      genesis: {
        config: { chainId: 1, ...Object.fromEntries(forks.map(name => [`${name}Block`, 0])) },
        mixHash: `0x${'0'.repeat(64)}`,
        alloc: {
          [CONTRACT]: { balance: '0x0', code },
          [SENDER]: { balance: '0x1c6bf52634000' },
        },
      },
      context: {
        ...{ number: '8000000', timestamp: '5', difficulty: '196608', gasLimit: '6000000' },
        miner: `0x${'0'.repeat(40)}`,
      },
      input,
    },
    options,
  )
}

describe("geth's programs", () => {
  const frame = { from: SENDER, gas: '0x13880', to: CONTRACT, input: '0x', value: '0x0' }

  it('show a call of an account that is not there', async () => {
    expect(await traceProgram('0x60008080808060ff5af1', CALL_TRACER)).toEqual({
      ...frame,
      gasUsed: '0x54d8',
      type: 'CALL',
      calls: [
        {
          ...{ from: CONTRACT, gas: '0xe01a', gasUsed: '0x0', input: '0x', value: '0x0' },
          to: '0x00000000000000000000000000000000000000ff',
          type: 'CALL',
        },
      ],
    })
  })

  it('show a log that the stack is too short for, and one that makes the memory longer', async () => {
    const options = { ...CALL_TRACER, withLog: true }
    expect(await traceProgram('0xa3', options)).toEqual({
      ...{ ...frame, gasUsed: '0x13880', error: 'stack underflow (0 <=> 5)', type: 'CALL' },
    })
    expect(await traceProgram('0x600160005260ff6000a0', options)).toEqual({
      ...{ ...frame, gasUsed: '0x5b9e', type: 'CALL' },
      logs: [
        {
          ...{ address: CONTRACT, topics: [], index: '0x0', position: '0x0' },
          data: `0x${'01'.padStart(64, '0').padEnd(2 * 255, '0')}`,
        },
      ],
    })
  })

  it.each([
    [
      '0x6001600052600164ffffffffff60016000f560ff6000a0',
      '0x27be17a236425a9b513d736c4bb84eca4505a15564cae640e85558cf4d7ff7bb',
    ],
    [
      '0x6001600052600160ff60016000f560ff6000a0',
      '0x5544040a7fd107ba8164108904724a38fb9c664daae88a5cc53580841e648edf',
    ],
  ] as const)(
    'show the state before a CREATE2 that reads beyond the memory: %s',
    async (code, codeHash) => {
      expect(await traceProgram(code, PRESTATE_TRACER)).toEqual({
        [CONTRACT]: { balance: '0x0', code, codeHash },
        [SENDER]: { balance: '0x1c6bf52634000' },
      })
    },
  )
})

describe('an account that is not there', () => {
  const NOBODY = '0x00000000000000000000000000000000000000ff'
  const options = { ...PRESTATE_TRACER, diffMode: true }

  // geth's StateDB gives such an account no hash of its code, but for what it makes while the transaction runs.
  it.each([
    ['CALL without value', '0x60008080808060ff5af1', true],
    ['DELEGATECALL', '0x600080808060ff5af4', true],
    ['BALANCE', '0x60ff31', true],
    ['STATICCALL', '0x600080808060ff5afa', false],
  ] as const)('has lost the hash of no code after %s: %s is %s', async (_, code, isLost) => {
    const { post } = (await traceProgram(code, options)) as { post: { [address: string]: object } }
    const lost = { codeHash: `0x${'0'.repeat(64)}` }
    expect(post[NOBODY]).toEqual(isLost ? lost : undefined)
  })
})

describe('a trace', () => {
  it('ends where it is too large', () => {
    const size = createTraceSize(100)
    size.add(100)
    expect(() => size.add(1)).toThrow(TraceSizeError)
  })
})

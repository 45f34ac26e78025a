import { beforeAll, describe, expect, it } from 'vitest'
import type { Hex } from '../../codec/hex.ts'
import { type EngineSetup, setUpEngine } from '../../testing/engine-setup.ts'
import { toBytes } from '../block-environment.ts'

const FROM: Hex = `0x${'11'.repeat(20)}`
const PROGRAM: Hex = `0x${'22'.repeat(20)}`
const CALLER: Hex = `0x${'33'.repeat(20)}`

// Texts of go-ethereum's core/vm, as of August 2026.
describe('what geth says of gas that is not there', () => {
  let setup: EngineSetup
  beforeAll(async () => {
    setup = await setUpEngine()
  })

  /** @param call - the opcode with which another contract calls the code, and the gas that it hands on */
  async function explain(code: string, call: { opcode: string; gas: string }): Promise<string> {
    const zeros = call.opcode === 'f1' ? '60006000600060006000' : '6000600060006000'
    const caller = `${zeros}73${PROGRAM.slice(2)}62${call.gas}${call.opcode}00`
    const overrides = new Map([
      [PROGRAM, { code: toBytes(`0x${code}`) }],
      [CALLER, { code: toBytes(`0x${caller}`) }],
    ])
    const message = { from: FROM, to: CALLER, value: 0n, input: new Uint8Array(), gas: 1_000_000n }
    const text = await setup.engine.traceCall(setup.head(), message, {
      ...{ overrides, blockOverrides: {}, after: null },
      options: { tracer: 'callTracer', onlyTopCall: false, withLog: false },
    })
    return JSON.parse(text).calls[0].error
  }

  const CALL = { opcode: 'f1', gas: '0186a0' }
  const STATIC = { opcode: 'fa', gas: '0186a0' }

  it.each([
    // MSTORE at 2^33, 2^40 and 2^64.
    ['600164020000000052', CALL, 'out of gas'],
    ['60016501000000000052', CALL, 'out of gas: gas uint64 overflow'],
    ['60016801000000000000000052', CALL, 'gas uint64 overflow'],
    // CALLDATACOPY of 2^64 bytes.
    ['680100000000000000006000600037', CALL, 'gas uint64 overflow'],
    // SSTORE and CREATE where nothing may be changed, and LOG0.
    ['6001600055', STATIC, 'out of gas: write protection'],
    ['600060006000f0', STATIC, 'out of gas: write protection'],
    ['6000600060006000f5', STATIC, 'out of gas: write protection'],
    ['60006000600060006001600060fff1', STATIC, 'out of gas: write protection'],
    ['6000ff', STATIC, 'out of gas: write protection'],
    ['60006000a0', STATIC, 'write protection'],
    // RETURNDATACOPY of a byte that is not there, and of 2^40 of them.
    ['6001600060003e', CALL, 'return data out of bounds'],
    ['65010000000000600060003e', CALL, 'out of gas: gas uint64 overflow'],
    // SSTORE with 2,294 gas, BALANCE and CALL of an unknown account with too little.
    ['6001600055', { ...CALL, gas: '0008fc' }, 'out of gas: not enough gas for reentrancy sentry'],
    ['60ff31', { ...CALL, gas: '0003e8' }, 'out of gas'],
    ['600060006000600060ff5afa', { ...CALL, gas: '0003e8' }, 'out of gas: out of gas'],
    // KECCAK256 of more than can be paid for.
    ['6301000000600020', CALL, 'out of gas'],
  ])('%s: %j', async (code, call, text) => {
    expect(await explain(code, call)).toBe(text)
  })
})

import type { Common } from '@ethereumjs/common'
import { EVM, EVMError } from '@ethereumjs/evm'
import { OpcodeError } from './call-error.ts'
import type { Clock } from './clock.ts'
import { analyseCode } from './code-analysis.ts'
import type { AddOpcode, RunState } from './evm/frame.ts'
import { assertStack, MOST_FAST_GAS, runFast } from './fast-loop.ts'
import type { OpcodeEntry, OpcodeTable } from './opcode-table.ts'
import { describeOutOfGas } from './opcodes/out-of-gas.ts'

export type Frame = RunState['interpreter']
/** EthereumJS does not export it. */
export type FrameClass = new (
  evm: EVM,
  stateManager: EVM['stateManager'],
  blockchain: EVM['blockchain'],
  env: RunState['env'],
  gasLeft: bigint,
  journal: EVM['journal'],
  performanceLogs: unknown,
) => Frame

/** Takes the class of frames from a first one that runs. */
export async function captureFrameClass(common: Common): Promise<FrameClass> {
  let captured: Frame | null = null
  const evm = new EVM({
    common,
    stateManager: { getAccount: () => undefined } as never,
    blockchain: {} as never,
    customOpcodes: [
      {
        opcode: PROBE,
        opcodeName: 'PROBE',
        baseFee: 0,
        logicFunction(runState: RunState) {
          captured = runState.interpreter
        },
      } as AddOpcode,
    ],
  })
  await evm.runCode({ code: Uint8Array.of(PROBE) })
  if (captured === null) throw new Error('EthereumJS ran no frame')
  return (captured as Frame).constructor as unknown as FrameClass
}

/** Runs a frame to its end, and gives the error that ended it, if one did. */
export async function runFrame(
  state: RunState,
  code: Uint8Array,
  table: OpcodeTable,
  clock: Clock,
): Promise<EVMError | undefined> {
  state.code = code
  state.validJumps = analyseCode(code).jumps
  const isFast = state.gasLeft < MOST_FAST_GAS
  try {
    for (;;) {
      const pause = isFast ? runFast(state, code, table, clock) : findPause(state, code, clock)
      if (pause === 'end') return undefined
      if (pause === 'clock') await clock.tick()
      else await runOpcode(state, code[state.programCounter] as number, table)
    }
  } catch (error) {
    if (!(error instanceof EVMError)) throw error
    return error.error === EVMError.errorMessages.STOP ? undefined : error
  }
}

/** Where a frame that is not for the fast loop stands. */
export function findPause(state: RunState, code: Uint8Array, clock: Clock) {
  if (state.programCounter >= code.length) return 'end'
  return --clock.steps <= 0 ? 'clock' : 'opcode'
}

/** Lets EthereumJS run an opcode. */
async function runOpcode(state: RunState, opcode: number, table: OpcodeTable): Promise<void> {
  const { opcodeInfo, gasHandler, opHandler } = table.entries[opcode] as OpcodeEntry
  assertRunnable(state, opcode, table)
  state.opCode = opcode
  const gasBefore = state.gasLeft
  let gas = opcodeInfo.feeBigInt
  try {
    if (opcodeInfo.dynamicGas) gas = await gasHandler(state as never, gas, table.common)
    payGas(state, gas)
  } catch (error) {
    throw describeOutOfGas(error, state, opcode, gasBefore, table.common)
  }
  state.programCounter++
  const done = opHandler(state as never, table.common)
  if (opcodeInfo.isAsync) await done
}

/** Throws where an opcode is none, or the stack or the return data are not what it needs. */
export function assertRunnable(state: RunState, opcode: number, table: OpcodeTable): void {
  if ((table.entries[opcode] as OpcodeEntry).opcodeInfo.isInvalid) {
    const name = opcode === INVALID ? 'INVALID' : `opcode 0x${opcode.toString(16)} not defined`
    throw new OpcodeError(EVMError.errorMessages.INVALID_OPCODE, `invalid opcode: ${name}`)
  }
  assertStack(opcode, state.stack.length)
  if (opcode === RETURNDATACOPY) assertReturnData(state)
}

export function payGas(state: RunState, gas: bigint): void {
  state.gasLeft -= gas
  if (state.gasLeft >= 0n) return
  state.gasLeft = 0n
  throw new EVMError(EVMError.errorMessages.OUT_OF_GAS)
}

/** EIP-211; EthereumJS calls it out of gas. */
function assertReturnData(state: RunState): void {
  const [, offset, length] = state.stack.peek(3) as [bigint, bigint, bigint]
  if (offset + length <= BigInt(state.returnBytes.length)) return
  throw new OpcodeError(EVMError.errorMessages.OUT_OF_GAS, 'return data out of bounds')
}

/** No fork has it. */
const PROBE = 0x0c
const INVALID = 0xfe
const RETURNDATACOPY = 0x3e

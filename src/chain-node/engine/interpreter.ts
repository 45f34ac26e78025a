import type { Common } from '@ethereumjs/common'
import { EVM, EVMError } from '@ethereumjs/evm'
import { OpcodeError } from './call-error.ts'
import type { Clock } from './clock.ts'
import { analyseCode } from './code-analysis.ts'
import type { AddOpcode, RunState } from './evm/frame.ts'
import { type FramePrototypes, readPrototypes } from './evm/frames.ts'
import { assertStack, MOST_FAST_GAS, type Pause, runFast } from './fast-loop.ts'
import type { OpcodeEntry, OpcodeTable } from './opcode-table.ts'
import { describeOutOfGas } from './opcodes/out-of-gas.ts'

/** Takes the prototypes of frames, which EthereumJS does not export, from a first one that runs. */
export async function captureFramePrototypes(common: Common): Promise<FramePrototypes> {
  let captured: object | null = null
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
  return readPrototypes(captured)
}

/** How a frame ended: the error that ended it, if one did. */
export type Ending = EVMError | undefined

/** Runs a frame to its end; a promise only where something has to be waited for. */
export function runFrame(
  state: RunState,
  code: Uint8Array,
  table: OpcodeTable,
  clock: Clock,
): Ending | Promise<Ending> {
  state.code = code
  state.validJumps = analyseCode(code).jumps
  if (state.gasLeft >= MOST_FAST_GAS) return runSlowly(state, code, table, clock, false)
  try {
    if (runFast(state, code, table, clock) === 'end') return undefined
  } catch (error) {
    return readEnding(error)
  }
  return runSlowly(state, code, table, clock, true)
}

async function runSlowly(
  state: RunState,
  code: Uint8Array,
  table: OpcodeTable,
  clock: Clock,
  isFast: boolean,
): Promise<Ending> {
  let pause: Pause = findPause(state, code, clock)
  try {
    for (;;) {
      if (pause === 'end') return undefined
      if (pause === 'clock') await clock.tick()
      else await runOpcode(state, code[state.programCounter] as number, table)
      pause = isFast ? runFast(state, code, table, clock) : findPause(state, code, clock)
    }
  } catch (error) {
    return readEnding(error)
  }
}

/** Throws what is no error of the EVM. */
function readEnding(error: unknown): Ending {
  if (!(error instanceof EVMError)) throw error
  return error.error === EVMError.errorMessages.STOP ? undefined : error
}

/** Where a frame that is not for the fast loop stands. */
export function findPause(state: RunState, code: Uint8Array, clock: Clock): Pause {
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

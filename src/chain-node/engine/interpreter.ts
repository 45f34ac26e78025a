import type { Common } from '@ethereumjs/common'
import { EVM, EVMError, type EVMOpts } from '@ethereumjs/evm'
import type { Clock } from './clock.ts'

type CustomOpcode = NonNullable<EVMOpts['customOpcodes']>[number]
type AddOpcode = Extract<CustomOpcode, { logicFunction: unknown }>

/** A frame of a call while it runs, as EthereumJS has it. */
export type RunState = Parameters<AddOpcode['logicFunction']>[0]
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

/** What an EVM does for each opcode. */
export interface OpcodeEntry {
  readonly opcodeInfo: {
    readonly isAsync: boolean
    readonly dynamicGas: boolean
    readonly isInvalid: boolean
    readonly feeBigInt: bigint
  }
  readonly opHandler: (runState: RunState, common: Common) => unknown
  readonly gasHandler: (runState: RunState, gas: bigint, common: Common) => bigint | Promise<bigint>
}

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
  frame: Frame,
  code: Uint8Array,
  table: readonly OpcodeEntry[],
  common: Common,
  clock: Clock,
): Promise<EVMError | undefined> {
  const state = (frame as unknown as { _runState: RunState })._runState
  const analysis = analyseCode(code)
  state.code = code
  state.validJumps = analysis.jumps
  state.cachedPushes = analysis.pushes
  state.shouldDoJumpAnalysis = false
  try {
    while (state.programCounter < code.length) {
      if (--clock.steps <= 0) await clock.tick()
      const opcode = code[state.programCounter] as number
      const entry = table[opcode] as OpcodeEntry
      const info = entry.opcodeInfo
      state.opCode = opcode
      let gas = info.feeBigInt
      if (info.dynamicGas) {
        const charged = entry.gasHandler(state, gas, common)
        gas = typeof charged === 'bigint' ? charged : await charged
      }
      if (info.isInvalid) throw new EVMError(EVMError.errorMessages.INVALID_OPCODE)
      state.gasLeft -= gas
      if (state.gasLeft < 0n) {
        state.gasLeft = 0n
        throw new EVMError(EVMError.errorMessages.OUT_OF_GAS)
      }
      state.programCounter++
      if (info.isAsync) await entry.opHandler(state, common)
      else entry.opHandler(state, common)
    }
  } catch (error) {
    if (!(error instanceof EVMError)) throw error
    if (error.error !== EVMError.errorMessages.STOP) return error
  }
  return undefined
}

interface CodeAnalysis {
  /** 1 for each place that can be jumped to. */
  readonly jumps: Uint8Array
  /** What is pushed, by the place after the opcode. */
  readonly pushes: { [place: number]: bigint }
}

const analyses = new WeakMap<Uint8Array, CodeAnalysis>()

function analyseCode(code: Uint8Array): CodeAnalysis {
  const known = analyses.get(code)
  if (known !== undefined) return known
  const jumps = new Uint8Array(code.length)
  const pushes: { [place: number]: bigint } = {}
  for (let i = 0; i < code.length; i++) {
    const opcode = code[i] as number
    if (opcode === JUMPDEST) jumps[i] = 1
    if (opcode < PUSH1 || opcode > PUSH32) continue
    const length = opcode - PUSH1 + 1
    const digits = Buffer.prototype.hexSlice.call(
      code,
      i + 1,
      Math.min(code.length, i + 1 + length),
    )
    pushes[i + 1] = BigInt(`0x${digits.padEnd(2 * length, '0')}`)
    i += length
  }
  const analysis = { jumps, pushes }
  analyses.set(code, analysis)
  return analysis
}

/** No fork has it. */
const PROBE = 0x0c
const JUMPDEST = 0x5b
const PUSH1 = 0x60
const PUSH32 = 0x7f

import { EVMError, type ExecResult } from '@ethereumjs/evm'
import { generateAddress, generateAddress2 } from '@ethereumjs/util'
import { describeFailure, OpcodeError } from '../call-error.ts'
import type { Clock } from '../clock.ts'
import { analyseCode } from '../code-analysis.ts'
import { CallError } from '../engine.ts'
import type { RunState } from '../evm/frame.ts'
import { MOST_FAST_GAS, runFast } from '../fast-loop.ts'
import { assertRunnable, findPause, payGas } from '../interpreter.ts'
import type { OpcodeEntry, OpcodeTable } from '../opcode-table.ts'
import { describeOutOfGas } from '../opcodes/out-of-gas.ts'
import { encodeInteger, NO_BYTES } from '../state/state-reader.ts'
import { CALL, CALLCODE, CREATE, CREATE2, DELEGATECALL, STATICCALL } from './observed-messages.ts'
import type { EnteredFrame, Observation, Step } from './tracer.ts'

const STOP = 0x00
const LOG0 = 0xa0
const LOG4 = 0xa4
const LOGS = [0xa0, 0xa1, 0xa2, 0xa3, 0xa4]
const SELFDESTRUCT = 0xff
const RETURNDATACOPY = 0x3e
const MASK_160 = 2n ** 160n - 1n

/** Steps of the clock that an opcode counts for where a tracer looks at it. */
const STEPS_OF_A_LOOK = 4

/** What `runFrame` does, for a frame that is observed. */
export async function traceFrame(
  state: RunState,
  code: Uint8Array,
  table: OpcodeTable,
  clock: Clock,
  observation: Observation,
): Promise<EVMError | undefined> {
  state.code = code
  state.validJumps = analyseCode(code).jumps
  const { tracer } = observation
  const watched = tracer.step === undefined ? [] : tracer.watched
  const isFast = watched !== undefined && state.gasLeft < MOST_FAST_GAS
  observation.table ??= slowDown(table, [...(watched ?? []), ...(tracer.log ? LOGS : [])])
  const fastTable = observation.table
  try {
    for (;;) {
      const pause = isFast ? runFast(state, code, fastTable, clock) : findPause(state, code, clock)
      if (pause === 'end') {
        const size = Number(state.memoryWordCount) * 32
        const { gasLeft } = state
        if (!isFast) tracer.step?.(describeStep(state, STOP, gasLeft, 0n, size, null))
        return undefined
      }
      if (pause === 'clock') await clock.tick()
      else await traceOpcode(state, code[state.programCounter] as number, table, clock, observation)
    }
  } catch (error) {
    if (!(error instanceof EVMError)) throw error
    return error.error === EVMError.errorMessages.STOP ? undefined : error
  }
}

/** The same opcodes, where the fast loop leaves some to others. */
function slowDown(table: OpcodeTable, opcodes: readonly number[]): OpcodeTable {
  const fast = table.fast.slice()
  for (const opcode of opcodes) fast[opcode] = 0
  return { ...table, fast }
}

async function traceOpcode(
  state: RunState,
  opcode: number,
  table: OpcodeTable,
  clock: Clock,
  observation: Observation,
): Promise<void> {
  const { tracer } = observation
  const { opcodeInfo, gasHandler, opHandler } = table.entries[opcode] as OpcodeEntry
  const gasBefore = state.gasLeft
  const memorySize = Number(state.memoryWordCount) * 32
  let cost = opcodeInfo.isInvalid ? 0n : opcodeInfo.feeBigInt
  const tell = (error: string | null) =>
    tracer.step?.(describeStep(state, opcode, gasBefore, cost, memorySize, error))
  clock.steps -= STEPS_OF_A_LOOK
  try {
    assertRunnable(state, opcode, table)
    state.opCode = opcode
    if (opcodeInfo.dynamicGas) cost = await gasHandler(state as never, cost, table.common)
    payGas(state, cost)
  } catch (caught) {
    const isBeyondData = opcode === RETURNDATACOPY && state.stack.length >= 3
    if (isBeyondData && caught instanceof OpcodeError) cost = priceReturnData(state, cost)
    const isUnpaid = isBeyondData && cost > gasBefore
    const found = isUnpaid ? new EVMError(EVMError.errorMessages.OUT_OF_GAS) : caught
    const error = describeOutOfGas(found, state, opcode, gasBefore, table.common)
    // geth cannot reckon what does not fit into 64 bits, and leaves it out.
    if (cost >= 2n ** 64n) cost = opcodeInfo.feeBigInt
    // An opcode that is none, and return data that is not there, fail when they run, as far as their gas goes.
    const isPaid = opcodeInfo.isInvalid || (isBeyondData && !isUnpaid)
    if (error instanceof EVMError) tell(isPaid ? null : describeFailure(error, NO_BYTES).message)
    throw error
  }
  // geth counts what a call hands on among its cost.
  if (isCall(opcode)) cost += state.messageGasLimit ?? 0n
  tell(null)
  const begin = isCall(opcode) || isCreation(opcode) ? prepareFrame(state, opcode) : null
  if (opcode === SELFDESTRUCT) tellOfDestruction(state, observation)
  state.programCounter++
  observation.opcode = opcode
  const { begun } = observation
  const done = opHandler(state as never, table.common)
  if (opcodeInfo.isAsync) await done
  if (opcode >= LOG0 && opcode <= LOG4) {
    const { logs } = (state.interpreter as unknown as { _result: ExecResult })._result
    const log = logs?.[logs.length - 1]
    if (log !== undefined) tracer.log?.(log)
  }
  if (begin !== null && observation.begun === begun) tellOfRefusal(state, observation, begin, table)
}

/** RETURNDATACOPY's gas, which EthereumJS does not reckon where the data is not there. */
function priceReturnData(
  { stack, memoryWordCount, highestMemCost }: RunState,
  fee: bigint,
): bigint {
  const [target, , length] = stack.peek(3) as [bigint, bigint, bigint]
  const copied = 3n * ((length + 31n) / 32n)
  const words = length === 0n ? 0n : (target + length + 31n) / 32n
  const memory = 3n * words + (words * words) / 512n
  return fee + copied + (words > memoryWordCount ? memory - highestMemCost : 0n)
}

function describeStep(
  state: RunState,
  opcode: number,
  gas: bigint,
  cost: bigint,
  memorySize: number,
  error: string | null,
): Step {
  const { programCounter: place, env } = state
  return { opcode, place, gas, cost, depth: env.depth + 1, memorySize, frame: state, error }
}

function isCall(opcode: number): boolean {
  return opcode === CALL || opcode === CALLCODE || opcode === DELEGATECALL || opcode === STATICCALL
}

function isCreation(opcode: number): boolean {
  return opcode === CREATE || opcode === CREATE2
}

/** The frame that a call or a creation will begin, unless it is refused; described only then. */
function prepareFrame(state: RunState, opcode: number): () => EnteredFrame {
  const { env, stack, memory } = state
  const granted = state.messageGasLimit ?? 0n
  const depth = env.depth + 1
  const from = env.address.bytes
  const read = (offset: bigint, length: bigint) =>
    length === 0n ? NO_BYTES : memory.read(Number(offset), Number(length))
  if (isCreation(opcode)) {
    const [value, offset, length, salt] = stack.peek(opcode === CREATE2 ? 4 : 3) as bigint[]
    return () => {
      const input = read(offset as bigint, length as bigint)
      const to =
        salt === undefined
          ? generateAddress(from, encodeInteger(env.contract.nonce))
          : generateAddress2(from, toBytes(salt, 32), input)
      return { opcode, depth, from, to, input, gas: granted, value: value as bigint }
    }
  }
  const hasValue = opcode === CALL || opcode === CALLCODE
  const items = stack.peek(hasValue ? 7 : 6) as bigint[]
  const sent = hasValue ? (items[2] as bigint) : 0n
  const [offset, length] = items.slice(hasValue ? 3 : 2) as [bigint, bigint]
  return () => ({
    opcode,
    depth,
    from,
    to: toBytes((items[1] as bigint) & MASK_160, 20),
    input: read(offset, length),
    gas: granted + (sent > 0n ? CALL_STIPEND : 0n),
    value: opcode === STATICCALL ? null : opcode === DELEGATECALL ? env.callValue : sent,
  })
}

/** Yellow paper, appendix G. */
const CALL_STIPEND = 2_300n

/** EthereumJS begins no frame for what it refuses; geth does. */
function tellOfRefusal(
  state: RunState,
  { tracer }: Observation,
  begin: () => EnteredFrame,
  { common }: OpcodeTable,
): void {
  const frame = begin()
  const reason =
    state.env.depth >= Number(common.param('stackLimit'))
      ? 'max call depth exceeded'
      : state.env.contract.balance < (frame.value ?? 0n)
        ? 'insufficient balance for transfer'
        : 'nonce uint64 overflow'
  tracer.enter?.(frame)
  const failure = new CallError(reason, null)
  tracer.exit?.({ depth: frame.depth, output: NO_BYTES, gasUsed: 0n, failure })
}

function tellOfDestruction(state: RunState, { tracer }: Observation): void {
  const { env, stack } = state
  const depth = env.depth + 1
  const to = toBytes((stack.peek(1)[0] as bigint) & MASK_160, 20)
  const from = env.address.bytes
  const value = env.contract.balance
  tracer.enter?.({ opcode: SELFDESTRUCT, depth, from, to, input: NO_BYTES, gas: 0n, value })
  tracer.exit?.({ depth, output: NO_BYTES, gasUsed: 0n, failure: null })
}

function toBytes(value: bigint, length: number): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex'))
}

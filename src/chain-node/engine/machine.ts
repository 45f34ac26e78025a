import type { Common } from '@ethereumjs/common'
import {
  EVM,
  type EVMError,
  type EVMResult,
  type ExecResult,
  type Message,
  NobleBN254,
} from '@ethereumjs/evm'
import { Account, type Address, createZeroAddress } from '@ethereumjs/util'
import { type Clock, createClock } from './clock.ts'
import type { RunState } from './evm/frame.ts'
import { createFrameMaker, type Frame, type FramePrototypes } from './evm/frames.ts'
import { createJournal, type Journal, listPrecompiles, replaceJournal } from './evm/journal.ts'
import { replaceCalls } from './evm/message-call.ts'
import { captureFramePrototypes, type Ending, runFrame } from './interpreter.ts'
import { createOpcodeTable, type OpcodeEntry } from './opcode-table.ts'
import { replaceContainerOpcodes } from './opcodes/legacy-code.ts'
import { replaceLongPrecompiles } from './precompiles/long-precompiles.ts'
import type { Rules } from './rules.ts'
import { createState, type State } from './state/state.ts'
import { createStateManager } from './state/state-manager.ts'
import { EMPTY_ROOT, NO_BYTES, type StateReader } from './state/state-reader.ts'
import { enterMessage, exitMessage } from './tracing/observed-messages.ts'
import { traceFrame } from './tracing/trace-frame.ts'
import type { Observation } from './tracing/tracer.ts'

/** An EVM of one hard fork with a state of its own; one thing at a time runs on it. */
export interface Machine {
  readonly common: Common
  readonly state: State
  readonly evm: EVM
  readonly journal: Journal
  readonly clock: Clock
  /** Stands for the chain's blocks while a block of another branch runs. */
  branch: FindBlockHash | null
  /** Whether calls of the console's address are told. */
  speaks: boolean
  /** Null where no tracer observes what runs. */
  observation: Observation | null
  /** Where the fork has precompiled contracts, in hex without `0x`, also once they were moved. */
  readonly precompileAddresses: readonly string[]
  /** False once precompiled contracts were moved. */
  hasOwnPrecompiles: boolean
  /** Puts them back. */
  restorePrecompiles(): void
}

/** Gives the hash of a block by its height, for BLOCKHASH; null for one that is not there. */
export type FindBlockHash = (number: bigint) => Uint8Array | null

/** What all machines of a chain share. */
export interface MachineParts {
  readonly rules: Rules
  readonly reader: StateReader
  readonly findBlockHash: FindBlockHash
  readonly framePrototypes: FramePrototypes
  readonly onConsole: ConsoleListener | null
}

/** Told of the input of each call that a contract makes to the address of Hardhat's and Foundry's console. */
export type ConsoleListener = (input: Uint8Array) => void

const CONSOLE = '0x000000000000000000636f6e736f6c652e6c6f67'

export async function createMachineParts(
  rules: Rules,
  reader: StateReader,
  findBlockHash: FindBlockHash,
  onConsole: ConsoleListener | null,
): Promise<MachineParts> {
  const framePrototypes = await captureFramePrototypes(rules.commonAt(0n, 0n))
  return { rules, reader, findBlockHash, framePrototypes, onConsole }
}

export function createMachine(parts: MachineParts, common: Common): Machine {
  const state = createState(parts.reader, EMPTY_ROOT)
  const blockchain = {
    getBlock(number: number) {
      const find = machine.branch ?? parts.findBlockHash
      const hash = find(BigInt(number)) ?? new Uint8Array(32)
      return { hash: () => hash }
    },
  }
  const stateManager = createStateManager(state)
  const evm = new EVM({
    common,
    stateManager,
    blockchain: blockchain as never,
    customOpcodes: parts.rules.customOpcodes,
    bn254: new NobleBN254(),
  })
  const clock = createClock()
  const journal = createJournal(state, stateManager, common, listPrecompiles(evm))
  replaceJournal(evm, journal)
  const machine: Machine = {
    common,
    state,
    evm,
    journal,
    clock,
    branch: null,
    speaks: false,
    observation: null,
    precompileAddresses: [...evm.precompiles.keys()],
    hasOwnPrecompiles: true,
    restorePrecompiles() {
      evm.precompiles.clear()
      for (const [address, run] of own) evm.precompiles.set(address, run)
      machine.hasOwnPrecompiles = true
    },
  }
  replaceInterpreter(machine, parts.framePrototypes)
  replaceCalls(machine)
  replaceLongPrecompiles(evm, clock)
  const own = new Map(evm.precompiles)
  listenForMessages(machine, parts.onConsole)
  return machine
}

/** A call of the console costs what one to an account without code does. */
function listenForMessages(machine: Machine, onConsole: ConsoleListener | null): void {
  const internals = machine.evm as unknown as EvmInternals
  internals._emit = (topic, data) => {
    const { observation } = machine
    if (topic === 'beforeMessage') {
      if (observation !== null) enterMessage(observation, machine.state, data as Message)
      if (onConsole === null || !machine.speaks) return undefined
      const { to, data: input, depth } = data as Message
      if (depth > 0 && to?.toString() === CONSOLE) onConsole(input)
    } else if (topic === 'afterMessage' && observation !== null) {
      exitMessage(observation, (data as EVMResult).execResult)
    }
    return undefined
  }
}

/** What of an EVM is not for its users. */
interface EvmInternals {
  _emit: (topic: string, data: unknown) => unknown
  runInterpreter: (message: Message) => ExecResult | Promise<ExecResult>
  _addToBalance: (account: Account, message: { to: Address; value: bigint }) => Promise<void>
  readonly performanceLogger: unknown
  readonly _opcodeMap: readonly OpcodeEntry[]
  readonly _tx: { readonly gasPrice: bigint; readonly origin: RunState['env']['origin'] }
  readonly _block: RunState['env']['block']
}

/** EthereumJS's way from a message to a frame and back, but for the loop over opcodes, which is ours. */
function replaceInterpreter(machine: Machine, prototypes: FramePrototypes): void {
  const { evm, clock, state } = machine
  const internals = evm as unknown as EvmInternals
  const { common, stateManager, blockchain, journal } = evm
  const frames = createFrameMaker(prototypes, {
    evm,
    stateManager,
    blockchain,
    journal,
    performanceLogs: internals.performanceLogger,
  })
  const table = createOpcodeTable(replaceContainerOpcodes(internals._opcodeMap, state), common)

  function runInterpreter(message: Message): ExecResult | Promise<ExecResult> {
    const to = message.to ?? createZeroAddress()
    const code = message.code as Uint8Array
    // The state manager is ours, and does not wait.
    const contract = stateManager.getAccount(to) as unknown as Account | undefined
    const env = {
      address: to,
      caller: message.caller,
      callData: message.data,
      callValue: message.value,
      code,
      isStatic: message.isStatic,
      isCreate: message.isCreate ?? false,
      depth: message.depth,
      gasPrice: internals._tx.gasPrice,
      origin: internals._tx.origin,
      block: internals._block,
      contract: contract ?? new Account(),
      codeAddress: message.codeAddress,
      gasRefund: message.gasRefund,
      blobVersionedHashes: message.blobVersionedHashes ?? [],
      ...(message.createdAddresses !== undefined && { createdAddresses: message.createdAddresses }),
    }
    const frame = frames.make(env as RunState['env'], message.gasLimit)
    const { _result: result, _runState: runState } = frame
    if (message.selfdestruct !== undefined) result.selfdestruct = message.selfdestruct
    if (message.createdAddresses !== undefined) result.createdAddresses = message.createdAddresses
    const { observation } = machine
    const ending =
      observation === null
        ? runFrame(runState, code, table, clock)
        : traceFrame(runState, code, table, clock, observation)
    return ending instanceof Promise
      ? ending.then(error => finishFrame(message, frame, error))
      : finishFrame(message, frame, ending)
  }

  function finishFrame(message: Message, frame: Frame, error: Ending): ExecResult {
    const { _result: result, _runState: runState } = frame
    const { observation } = machine
    const returnValue = result.returnValue ?? NO_BYTES
    // A tracer may hold views of the memory.
    if (observation === null) frames.release(frame)
    else observation.returned = error === undefined ? returnValue : null
    if (error === undefined) {
      return {
        ...result,
        returnValue,
        executionGasUsed: message.gasLimit - runState.gasLeft,
        gasRefund: runState.gasRefund,
      }
    }
    return {
      returnValue,
      logs: [],
      selfdestruct: new Map(),
      createdAddresses: new Set(),
      executionGasUsed: isRevert(error) ? message.gasLimit - runState.gasLeft : message.gasLimit,
      gasRefund: runState.gasRefund,
      exceptionError: error,
      runState,
    } as ExecResult
  }

  internals.runInterpreter = runInterpreter
  // A balance beyond 256 bits wraps, as in geth; EthereumJS fails the call.
  internals._addToBalance = (account, { to, value }) => {
    account.balance = BigInt.asUintN(256, account.balance + value)
    return journal.putAccount(to, account)
  }
}

function isRevert(error: EVMError): boolean {
  return error.error === 'revert'
}

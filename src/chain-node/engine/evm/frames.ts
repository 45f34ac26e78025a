import type { EVM, ExecResult, Message } from '@ethereumjs/evm'
import type { RunState } from './frame.ts'

/** A frame of EthereumJS, with what it keeps to itself. */
export interface Frame {
  readonly _runState: RunState
  readonly _result: FrameResult
}

export interface FrameResult {
  logs: NonNullable<ExecResult['logs']>
  selfdestruct: NonNullable<Message['selfdestruct']>
  createdAddresses?: NonNullable<Message['createdAddresses']>
  returnValue?: Uint8Array
}

/** Makes the frames of an EVM. */
export interface FrameMaker {
  make(env: RunState['env'], gasLeft: bigint): Frame
  /** Takes back the memory of a frame that has ended. */
  release(frame: Frame): void
}

/** What all frames of an EVM share. */
export interface FrameParts {
  readonly evm: EVM
  readonly stateManager: EVM['stateManager']
  readonly blockchain: EVM['blockchain']
  readonly journal: EVM['journal']
  readonly performanceLogs: unknown
}

/** The classes of EthereumJS that it does not export, each by its prototype. */
export interface FramePrototypes {
  readonly frame: object
  readonly memory: object
  readonly stack: object
}

/** Reads the prototypes off a frame. */
export function readPrototypes(frame: object): FramePrototypes {
  const { _runState: state } = frame as Frame
  return {
    frame: Object.getPrototypeOf(frame),
    memory: Object.getPrototypeOf(state.memory),
    stack: Object.getPrototypeOf(state.stack),
  }
}

/** Bytes of a memory at the start, as in EthereumJS. */
const MEMORY = 8_192
/** Bytes up to which a memory is used again. */
const LARGEST_KEPT = 65_536
const KEPT = 16
const STACK_LIMIT = 1024
const INVALID = 0xfe

const NO_BYTES = new Uint8Array(0)

/** Memories that nobody uses: all zeros. */
const idle: Uint8Array[] = []

/**
 * Frames as EthereumJS's own constructor makes them, but that their memories are used again: eight kilobytes for each frame keep the
 * collector of garbage busy.
 */
export function createFrameMaker(prototypes: FramePrototypes, parts: FrameParts): FrameMaker {
  const { evm, stateManager, blockchain, journal, performanceLogs } = parts

  const FrameOf = defineClass(
    prototypes.frame,
    function (this: Record<string, unknown>, env: RunState['env'], gasLeft: bigint) {
      this.opDebuggers = {}
      this._evm = evm
      this._stateManager = stateManager
      this.common = evm.common
      this._runState = {
        programCounter: 0,
        opCode: INVALID,
        memory: new MemoryOf(),
        memoryWordCount: 0n,
        highestMemCost: 0n,
        stack: new StackOf(),
        code: NO_BYTES,
        validJumps: NO_BYTES,
        cachedPushes: {},
        stateManager,
        blockchain,
        env,
        shouldDoJumpAnalysis: true,
        interpreter: this,
        gasRefund: env.gasRefund,
        gasLeft,
        stateGasSpilled: 0n,
        returnBytes: NO_BYTES,
      }
      this.journal = journal
      this._env = env
      this._result = { logs: [], returnValue: undefined, selfdestruct: new Map() }
      this.profilerOpts = undefined
      this.performanceLogger = performanceLogs
    },
  ) as unknown as new (
    env: RunState['env'],
    gasLeft: bigint,
  ) => Frame

  const MemoryOf = defineClass(prototypes.memory, function (this: { _store: Uint8Array }) {
    this._store = idle.pop() ?? new Uint8Array(MEMORY)
  })

  const StackOf = defineClass(prototypes.stack, function (this: Record<string, unknown>) {
    this._len = 0
    this._store = []
    this._maxHeight = STACK_LIMIT
  })

  return {
    make: (env, gasLeft) => new FrameOf(env, gasLeft),
    release({ _runState: { memory } }) {
      const owner = memory as unknown as { _store: Uint8Array }
      const { _store: store } = owner
      if (store.length === 0 || store.length > LARGEST_KEPT || idle.length >= KEPT) return
      owner._store = NO_BYTES
      store.fill(0)
      idle.push(store)
    },
  }
}

/** A function that makes objects with a prototype that there is already. */
function defineClass(prototype: object, construct: (...args: never[]) => void) {
  construct.prototype = prototype
  return construct as unknown as new () => object
}

import type { BlockEnvironment } from '../block-environment.ts'
import type { CallError } from '../engine.ts'
import type { RunState } from '../evm/frame.ts'
import type { OpcodeTable } from '../opcode-table.ts'
import type { Transaction } from '../transaction.ts'

/** A call, a creation or a SELFDESTRUCT as it begins; bytes are the machine's, and are copied by who keeps them. */
export interface EnteredFrame {
  /** The opcode that it began with; CALL or CREATE for a transaction. */
  readonly opcode: number
  readonly depth: number
  readonly from: Uint8Array
  /** Whose code runs; the address to come of a contract that is created. */
  readonly to: Uint8Array
  readonly input: Uint8Array
  readonly gas: bigint
  /** Null for STATICCALL, which has none. */
  readonly value: bigint | null
}

export interface FrameEnd {
  readonly depth: number
  readonly output: Uint8Array
  readonly gasUsed: bigint
  /** Null where it succeeded. */
  readonly failure: CallError | null
}

/** An opcode before it runs, when its gas is reckoned. */
export interface Step {
  readonly opcode: number
  readonly place: number
  /** Before the opcode. */
  readonly gas: bigint
  readonly cost: bigint
  /** 1 for the frame of the transaction. */
  readonly depth: number
  /** Bytes of memory before the opcode. */
  readonly memorySize: number
  readonly frame: RunState
  /** Why it cannot run; null where it can. */
  readonly error: string | null
}

/** Observes the execution of one transaction. What a tracer does not observe it has no function for. */
export interface Tracer {
  /** Before anything is paid. */
  begin?(transaction: TracedTransaction, environment: BlockEnvironment): void
  enter?(frame: EnteredFrame): void
  exit?(end: FrameEnd): void
  log?(log: readonly [address: Uint8Array, topics: Uint8Array[], data: Uint8Array]): void
  step?(step: Step): void
  /** The opcodes of which `step` must be told, so that the fast loop can run the others; all where it is missing. */
  readonly watched?: readonly number[]
  /** All is paid; what destroyed itself is still there. */
  end?(gasUsed: bigint): void
  /** As JSON text. */
  result(): string
}

export type TracedTransaction = Pick<
  Transaction,
  'from' | 'to' | 'gas' | 'gasPrice' | 'value' | 'nonce' | 'authorizationList'
>

/** A frame of EthereumJS's that has begun. */
interface OpenFrame {
  readonly depth: number
  readonly isCreation: boolean
  /** Whether a precompiled contract runs in it, once that is known. */
  readonly isPrecompile: () => boolean
}

/** What a machine keeps while a tracer observes it. */
export interface Observation {
  readonly tracer: Tracer
  /** The opcode that is about to begin a frame. */
  opcode: number
  /** Frames that have begun, ever. */
  begun: number
  /** Those that have not ended; the last one runs. */
  readonly open: OpenFrame[]
  /** What the code of the last frame that ended returned; null where it failed, or there was none. */
  returned: Uint8Array | null
  /** The opcodes of the machine, without those that are watched among the fast ones; null before the first frame. */
  table: OpcodeTable | null
}

export function observe(tracer: Tracer): Observation {
  return { tracer, opcode: 0, begun: 0, open: [], returned: null, table: null }
}

import { encodeHex, formatQuantity, type Hex } from '../../codec/hex.ts'
import { readRevertReason } from '../call-error.ts'
import type { CallError } from '../engine.ts'
import type { CallTracerOptions } from './trace-options.ts'
import { createTraceSize, type TraceSize } from './trace-size.ts'
import type { Tracer } from './tracer.ts'

interface CallLog {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  /** Counted through the block, without those that were taken back before it. */
  readonly index: Hex
  /** How many calls of the same frame stand before it. */
  readonly position: Hex
}

/** A frame as geth prints it, but for the order of its fields. */
interface CallFrame {
  readonly type: string
  readonly from: Hex
  to?: Hex
  readonly gas: Hex
  gasUsed: Hex
  readonly input: Hex
  output?: Hex
  error?: string
  revertReason?: string
  readonly value?: Hex
  calls?: CallFrame[]
  logs?: CallLog[]
}

const CREATE = 0xf0
const CREATE2 = 0xf5

const NAMES: ReadonlyMap<number, string> = new Map([
  [CREATE, 'CREATE'],
  [0xf1, 'CALL'],
  [0xf2, 'CALLCODE'],
  [0xf4, 'DELEGATECALL'],
  [CREATE2, 'CREATE2'],
  [0xfa, 'STATICCALL'],
  [0xff, 'SELFDESTRUCT'],
])

/** Characters of a frame's JSON beside its bytes, about. */
const FRAME_SIZE = 300
const LOG_SIZE = 400

/**
 * geth's `callTracer`: the calls of a transaction, each with those that it made.
 *
 * @param firstLog - the index of the transaction's first log in its block
 */
export function createCallTracer(
  { onlyTopCall, withLog }: CallTracerOptions,
  firstLog: number,
  size: TraceSize = createTraceSize(),
): Tracer {
  const open: { readonly frame: CallFrame; readonly logsBefore: number }[] = []
  let top: CallFrame | null = null
  let gasLimit = 0n
  let depth = 0
  let logs = firstLog

  return {
    begin(transaction) {
      gasLimit = transaction.gas
    },
    enter(entered) {
      depth = entered.depth
      if (onlyTopCall && depth > 0) return
      size.add(FRAME_SIZE + 2 * entered.input.length)
      const { value } = entered
      const frame: CallFrame = {
        from: encodeHex(entered.from),
        gas: formatQuantity(depth === 0 ? gasLimit : entered.gas),
        gasUsed: '0x0',
        to: encodeHex(entered.to),
        input: encodeHex(entered.input),
        ...(value !== null && { value: formatQuantity(value) }),
        type: NAMES.get(entered.opcode) ?? '',
      }
      open.push({ frame, logsBefore: logs })
    },
    exit(end) {
      depth = Math.max(end.depth - 1, 0)
      if (onlyTopCall && end.depth > 0) return
      const ended = open.pop()
      if (ended === undefined) return
      const { frame, logsBefore } = ended
      if (end.depth > 0) frame.gasUsed = formatQuantity(end.gasUsed)
      size.add(2 * end.output.length)
      writeEnd(frame, end.output, end.failure)
      if (end.failure !== null) {
        logs = logsBefore
        dropLogs(frame)
      }
      const parent = open[open.length - 1]?.frame
      if (parent === undefined) top = frame
      else {
        parent.calls ??= []
        parent.calls.push(frame)
      }
    },
    log([address, topics, data]) {
      const index = logs++
      const frame = open[open.length - 1]?.frame
      if (!withLog || frame === undefined || (onlyTopCall && depth > 0)) return
      size.add(LOG_SIZE + 2 * data.length)
      frame.logs ??= []
      frame.logs.push({
        address: encodeHex(address),
        topics: topics.map(encodeHex),
        data: encodeHex(data),
        index: formatQuantity(index),
        position: formatQuantity(frame.calls?.length ?? 0),
      })
    },
    end(gasUsed) {
      if (top !== null) top.gasUsed = formatQuantity(gasUsed)
    },
    result: () => JSON.stringify(top),
  }
}

function writeEnd(frame: CallFrame, output: Uint8Array, failure: CallError | null): void {
  if (failure === null) {
    if (output.length > 0) frame.output = encodeHex(output)
    return
  }
  frame.error = failure.reverted === null ? failure.message : 'execution reverted'
  if (frame.type === 'CREATE' || frame.type === 'CREATE2') delete frame.to
  if (failure.reverted === null || output.length === 0) return
  frame.output = encodeHex(output)
  const reason = readRevertReason(output)
  if (reason !== null && reason !== '') frame.revertReason = reason
}

/** What failed has written down nothing, nor has what it called. */
function dropLogs(frame: CallFrame): void {
  const waiting = [frame]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    delete next.logs
    if (next.calls !== undefined) waiting.push(...next.calls)
  }
}

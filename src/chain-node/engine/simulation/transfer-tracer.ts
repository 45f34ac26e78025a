import type { Hex } from '../../codec/hex.ts'
import { encodeHex } from '../../codec/hex.ts'
import type { CallError, SimulatedLog } from '../engine.ts'
import { NO_BYTES } from '../state/state-reader.ts'
import { CALLCODE, DELEGATECALL } from '../tracing/observed-messages.ts'
import type { FrameEnd, Tracer } from '../tracing/tracer.ts'

/** ERC-7528: stands for the coin itself where a log tells of its transfer. */
const COIN: Hex = `0x${'ee'.repeat(20)}`
/** ERC-20's `Transfer(address,address,uint256)`. */
const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** What one call of a simulation said. */
export interface TransferTracer extends Tracer {
  logs(): readonly SimulatedLog[]
  returned(): Uint8Array
  failure(): CallError | null
}

/**
 * The logs of a call, and where it is asked for those that stand for what is paid.
 *
 * @param takeIndex - counts the logs of the block, also those that are taken back
 */
export function createTransferTracer(
  withTransfers: boolean,
  takeIndex: () => number,
): TransferTracer {
  const open: SimulatedLog[][] = []
  let end: FrameEnd | null = null
  let kept: readonly SimulatedLog[] = []

  function add(address: Hex, topics: readonly Hex[], data: Hex): void {
    open[open.length - 1]?.push({ address, topics, data, index: takeIndex() })
  }

  return {
    enter({ opcode, from, to, value }) {
      open.push([])
      const isPaid = value !== null && value > 0n
      if (!withTransfers || !isPaid || opcode === CALLCODE || opcode === DELEGATECALL) return
      add(COIN, [TRANSFER, toWord(from), toWord(to)], `0x${value.toString(16).padStart(64, '0')}`)
    },
    exit(ended) {
      const logs = open.pop() ?? []
      const isKept = ended.failure === null
      if (ended.depth > 0) {
        if (isKept) open[open.length - 1]?.push(...logs)
        return
      }
      end = ended
      kept = isKept ? logs : []
    },
    log([address, topics, data]) {
      add(encodeHex(address), topics.map(encodeHex), encodeHex(data))
    },
    result: () => '{}',
    logs: () => kept,
    returned: () => (end === null || end.failure !== null ? NO_BYTES : end.output),
    failure: () => end?.failure ?? null,
  }
}

function toWord(address: Uint8Array): Hex {
  return `0x${encodeHex(address).slice(2).padStart(64, '0')}`
}

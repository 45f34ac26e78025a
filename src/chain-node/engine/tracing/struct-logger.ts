import { encodeHex, type Hex } from '../../codec/hex.ts'
import { toBytes } from '../block-environment.ts'
import type { CallError } from '../engine.ts'
import type { Machine } from '../machine.ts'
import { nameOpcode } from './opcode-names.ts'
import type { StructLoggerOptions } from './trace-options.ts'
import type { TraceSize } from './trace-size.ts'
import type { Step, Tracer } from './tracer.ts'

const SLOAD = 0x54
const SSTORE = 0x55

type Slots = { [slot: Hex]: Hex }

/** Words of memory, stack and storage are in 32 bytes, but items of the stack without leading zeros. */
interface StructLog {
  readonly pc: number
  readonly op: string
  readonly gas: number
  readonly gasCost: number
  readonly depth: number
  readonly error?: string
  readonly stack?: readonly Hex[]
  readonly returnData?: Hex
  readonly memory?: readonly Hex[]
  readonly storage?: Slots
  readonly refund?: number
}

/** geth's struct logger: every opcode with what it found. */
export function createStructLogger(
  { state }: Machine,
  options: StructLoggerOptions,
  size: TraceSize,
): Tracer {
  const { enableMemory, disableStack, disableStorage, enableReturnData, limit } = options
  const logs: string[] = []
  const storages = new Map<Hex, Slots>()
  let written = 0
  let gas = 0n
  let returned: Uint8Array = new Uint8Array(0)
  let failure: CallError | null = null

  return {
    step(step) {
      if (limit !== 0 && written > limit) return
      const { frame, error } = step
      const { returnBytes, gasRefund } = frame
      const storage = disableStorage ? null : observeStorage(step)
      const memory = enableMemory && step.memorySize > 0 ? listMemory(step) : null
      const log: StructLog = {
        pc: step.place,
        op: nameOpcode(step.opcode),
        gas: Number(step.gas),
        gasCost: Number(step.cost),
        depth: step.depth,
        ...(error !== null && { error }),
        ...(!disableStack && { stack: frame.stack.getStack().map(formatItem) }),
        ...(enableReturnData && returnBytes.length > 0 && { returnData: encodeHex(returnBytes) }),
        ...(memory !== null && { memory }),
        ...(storage !== null && { storage }),
        ...(gasRefund > 0n && { refund: Number(gasRefund) }),
      }
      const text = JSON.stringify(log)
      written += text.length
      size.add(text.length)
      logs.push(text)
    },
    exit(end) {
      if (end.depth > 0) return
      returned = end.output
      failure = end.failure
    },
    end(gasUsed) {
      gas = gasUsed
    },
    result() {
      const isShown = failure === null || failure.reverted !== null
      const end = {
        gas: Number(gas),
        failed: failure !== null,
        returnValue: encodeHex(isShown ? returned : new Uint8Array(0)),
      }
      return `${JSON.stringify(end).slice(0, -1)},"structLogs":[${logs.join()}]}`
    },
  }

  /** What the contract's own slots are known to hold, where the opcode reads or writes one. */
  function observeStorage({ opcode, frame }: Step): Slots | null {
    const height = frame.stack.length
    if (opcode !== SLOAD && opcode !== SSTORE) return null
    if (height < (opcode === SLOAD ? 1 : 2)) return null
    const address = frame.env.address.bytes
    const hex = encodeHex(address)
    const slots = storages.get(hex) ?? {}
    storages.set(hex, slots)
    const [top, value] = frame.stack.peek(opcode === SLOAD ? 1 : 2) as [bigint, bigint]
    const slot = toWord(top)
    slots[slot] = opcode === SLOAD ? readWord(address, slot) : toWord(value)
    return { ...slots }
  }

  function readWord(address: Uint8Array, slot: Hex): Hex {
    const bytes = state.readSlot(address, toBytes(slot))
    return toWord(bytes.length === 0 ? 0n : BigInt(encodeHex(bytes)))
  }
}

function listMemory({ frame, memorySize }: Step): Hex[] {
  const bytes = new Uint8Array(memorySize)
  bytes.set((frame.memory as unknown as { _store: Uint8Array })._store.subarray(0, memorySize))
  const words: Hex[] = []
  for (let i = 0; i < memorySize; i += 32) words.push(encodeHex(bytes.subarray(i, i + 32)))
  return words
}

function formatItem(item: bigint): Hex {
  return `0x${item.toString(16)}`
}

function toWord(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, '0')}`
}

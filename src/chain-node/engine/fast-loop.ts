import { EVMError } from '@ethereumjs/evm'
import { OpcodeError, refuseMemory } from './call-error.ts'
import type { Clock } from './clock.ts'
import { analyseCode, findPush } from './code-analysis.ts'
import { keccak256 } from './crypto.ts'
import type { RunState } from './evm/frame.ts'
import { storeSlot } from './evm/store-slot.ts'
import { LEAVES, type OpcodeTable, TAKES } from './opcode-table.ts'

/** Why the loop came back: the frame is at its end, the clock is due, or the next opcode is EthereumJS's. */
export type Pause = 'end' | 'clock' | 'opcode'

/** Gas up to which the loop reckons in floating point, and beyond which it leaves all to EthereumJS. */
export const MOST_FAST_GAS = 2n ** 44n

const { errorMessages } = EVMError
const STACK_LIMIT = 1024
const MASK_64 = 2n ** 64n - 1n
/** Yellow paper, appendix G. */
const LOG_TOPIC_GAS = 375
const LOG_DATA_GAS = 8
/** Memory beyond it costs more than any gas here. */
const MOST_OFFSET = 2n ** 32n

/** What of a frame EthereumJS keeps to itself. */
interface FrameInternals {
  readonly stack: { _store: bigint[]; _len: number }
  readonly memory: { _store: Uint8Array }
  readonly interpreter: { readonly _result: { returnValue?: Uint8Array; logs: LogRecord[] } }
}

/** Address, topics, data. */
type LogRecord = [Uint8Array, Uint8Array[], Uint8Array]

/** Throws as geth does where the stack holds too little or too much for an opcode. */
export function assertStack(opcode: number, height: number): void {
  const takes = TAKES[opcode] as number
  if (height < takes) {
    throw new OpcodeError(errorMessages.STACK_UNDERFLOW, `stack underflow (${height} <=> ${takes})`)
  }
  const most = STACK_LIMIT + takes - (LEAVES[opcode] as number)
  if (height > most) {
    throw new OpcodeError(errorMessages.STACK_OVERFLOW, `stack limit reached ${height} (${most})`)
  }
}

/** Runs the commonest opcodes without waiting for anything, until one comes that is not among them. */
export function runFast(
  state: RunState,
  code: Uint8Array,
  table: OpcodeTable,
  clock: Clock,
): Pause {
  const { stack, memory, interpreter } = state as unknown as FrameInternals
  const { fees, fast } = table
  const analysis = analyseCode(code)
  const { jumps, pushes } = analysis
  const items = stack._store
  let height = stack._len
  let gas = Number(state.gasLeft)
  let words = Number(state.memoryWordCount)
  let place = state.programCounter
  const wordsBefore = words

  function leave(pause: Pause): Pause {
    stack._len = height
    state.gasLeft = BigInt(gas)
    state.programCounter = place
    if (words !== wordsBefore) {
      state.memoryWordCount = BigInt(words)
      state.highestMemCost = BigInt(memoryCost(words))
    }
    return pause
  }

  /** Pays for memory up to there, and makes it. */
  function reach(offset: bigint, size: bigint): void {
    if (size === 0n) return
    if (offset >= MOST_OFFSET || size >= MOST_OFFSET) throw refuseMemory(offset, size)
    const needed = Math.ceil((Number(offset) + Number(size)) / 32)
    if (needed > words) {
      gas -= memoryCost(needed) - memoryCost(words)
      if (gas < 0) throw outOfGas()
      words = needed
    }
    if (needed * 32 > memory._store.length) growStore(memory, needed * 32)
  }

  function jump(destination: bigint): number {
    if (destination < BigInt(code.length) && jumps[Number(destination)] === 1) {
      return Number(destination)
    }
    throw new EVMError(errorMessages.INVALID_JUMP)
  }

  for (;;) {
    if (place >= code.length) return leave('end')
    if (--clock.steps <= 0) return leave('clock')
    const opcode = code[place] as number
    const takes = TAKES[opcode] as number
    if (height < takes || height - takes + (LEAVES[opcode] as number) > STACK_LIMIT) {
      assertStack(opcode, height)
    }
    if (fast[opcode] === 0) return leave('opcode')
    gas -= fees[opcode] as number
    if (gas < 0) throw outOfGas()
    place++
    if (opcode >= 0x60 && opcode <= 0x7f) {
      items[height++] = pushes[place] ?? findPush(analysis, code, place, opcode - 0x5f)
      place += opcode - 0x5f
      continue
    }
    if (opcode >= 0x80 && opcode <= 0x8f) {
      items[height] = items[height - (opcode - 0x7f)] as bigint
      height++
      continue
    }
    if (opcode >= 0x90 && opcode <= 0x9f) {
      const other = height - 1 - (opcode - 0x8f)
      const top = items[height - 1] as bigint
      items[height - 1] = items[other] as bigint
      items[other] = top
      continue
    }
    const top = height - 1
    const a = items[top] as bigint
    const b = items[top - 1] as bigint
    switch (opcode) {
      case 0x00:
        return leave('end')
      case 0x01:
        items[--height - 1] = BigInt.asUintN(256, a + b)
        break
      case 0x02:
        items[--height - 1] = BigInt.asUintN(256, a * b)
        break
      case 0x03:
        items[--height - 1] = BigInt.asUintN(256, a - b)
        break
      case 0x04:
        items[--height - 1] = b === 0n ? 0n : a / b
        break
      case 0x06:
        items[--height - 1] = b === 0n ? 0n : a % b
        break
      case 0x10:
        items[--height - 1] = a < b ? 1n : 0n
        break
      case 0x11:
        items[--height - 1] = a > b ? 1n : 0n
        break
      case 0x12:
        items[--height - 1] = BigInt.asIntN(256, a) < BigInt.asIntN(256, b) ? 1n : 0n
        break
      case 0x13:
        items[--height - 1] = BigInt.asIntN(256, a) > BigInt.asIntN(256, b) ? 1n : 0n
        break
      case 0x14:
        items[--height - 1] = a === b ? 1n : 0n
        break
      case 0x15:
        items[top] = a === 0n ? 1n : 0n
        break
      case 0x16:
        items[--height - 1] = a & b
        break
      case 0x17:
        items[--height - 1] = a | b
        break
      case 0x18:
        items[--height - 1] = a ^ b
        break
      case 0x19:
        items[top] = BigInt.asUintN(256, ~a)
        break
      case 0x1a:
        items[--height - 1] = a < 32n ? (b >> (8n * (31n - a))) & 0xffn : 0n
        break
      case 0x1b:
        items[--height - 1] = a < 256n ? BigInt.asUintN(256, b << a) : 0n
        break
      case 0x1c:
        items[--height - 1] = a < 256n ? b >> a : 0n
        break
      case 0x20: {
        if (b >= MOST_OFFSET) throw refuseMemory(a, b)
        gas -= 6 * Math.ceil(Number(b) / 32)
        if (gas < 0) throw outOfGas()
        reach(a, b)
        const start = b === 0n ? 0 : Number(a)
        const hash = keccak256(memory._store.subarray(start, start + Number(b)))
        items[--height - 1] = readWord(hash, 0)
        break
      }
      case 0x30:
        items[height++] = readAddress(state.env.address.bytes)
        break
      case 0x33:
        items[height++] = readAddress(state.env.caller.bytes)
        break
      case 0x34:
        items[height++] = state.env.callValue
        break
      case 0x35:
        items[top] = readPadded(state.env.callData, a)
        break
      case 0x36:
        items[height++] = BigInt(state.env.callData.length)
        break
      case 0x50:
        height--
        break
      case 0x51:
        reach(a, 32n)
        items[top] = readWord(memory._store, Number(a))
        break
      case 0x52:
        reach(a, 32n)
        writeWord(memory._store, Number(a), b)
        height -= 2
        break
      case 0x54: {
        const slot = toSlot(a)
        if (table.hasColdAccess) {
          const { journal } = state.interpreter
          const address = state.env.address.bytes
          const isWarm = journal.isWarmedStorage(address, slot)
          gas -= isWarm ? table.warmRead : table.coldSload
          if (gas < 0) throw outOfGas()
          if (!isWarm) journal.addWarmedStorage(address, slot)
        }
        // The state manager is ours, and does not wait.
        const value = state.stateManager.getStorage(state.env.address, slot) as unknown
        items[top] = toInteger(value as Uint8Array)
        break
      }
      case 0x55:
        gas -= storeSlot(state, table, gas, toSlot(a), toBytes(b))
        if (gas < 0) throw outOfGas()
        height -= 2
        break
      case 0x56:
        height--
        place = jump(a)
        break
      case 0x57:
        height -= 2
        if (b !== 0n) place = jump(a)
        break
      case 0x5a:
        items[height++] = BigInt(gas)
        break
      case 0x5b:
        break
      case 0x5f:
        items[height++] = 0n
        break
      case 0xa0:
      case 0xa1:
      case 0xa2:
      case 0xa3:
      case 0xa4: {
        if (b >= MOST_OFFSET) throw refuseMemory(a, b)
        gas -= LOG_TOPIC_GAS * (opcode - 0xa0) + LOG_DATA_GAS * Number(b)
        if (gas < 0) throw outOfGas()
        reach(a, b)
        if (state.env.isStatic) throw new EVMError(errorMessages.STATIC_STATE_CHANGE)
        const topics: Uint8Array[] = []
        for (let at = height - 3; at > height - 3 - (opcode - 0xa0); at--) {
          topics.push(toSlot(items[at] as bigint))
        }
        const start = b === 0n ? 0 : Number(a)
        const data = memory._store.slice(start, start + Number(b))
        interpreter._result.logs.push([state.env.address.bytes, topics, data])
        height -= takes
        break
      }
      default: {
        // RETURN and REVERT.
        reach(a, b)
        const start = b === 0n ? 0 : Number(a)
        interpreter._result.returnValue = memory._store.slice(start, start + Number(b))
        height -= 2
        leave('end')
        if (opcode === 0xfd) throw new EVMError(errorMessages.REVERT)
        return 'end'
      }
    }
  }
}

function outOfGas(): EVMError {
  return new EVMError(errorMessages.OUT_OF_GAS)
}

/** By doubling: EthereumJS copies all of it for every eight kilobytes. */
function growStore(memory: FrameInternals['memory'], size: number): void {
  const store = new Uint8Array(Math.max(size, 2 * memory._store.length))
  store.set(memory._store)
  memory._store = store
}

/** Yellow paper, appendix H. */
function memoryCost(words: number): number {
  return 3 * words + Math.floor((words * words) / 512)
}

/** Words are read and written through it: a view of a short array's own bytes would move these out of V8's heap. */
const WORD = new Uint8Array(new ArrayBuffer(32))
const WORD_VIEW = new DataView(WORD.buffer)

function readWord(bytes: Uint8Array, offset: number): bigint {
  for (let i = 0; i < 32; i++) WORD[i] = bytes[offset + i] as number
  const high = WORD_VIEW.getBigUint64(0)
  const second = WORD_VIEW.getBigUint64(8)
  const third = WORD_VIEW.getBigUint64(16)
  const low = WORD_VIEW.getBigUint64(24)
  if (high !== 0n) return (high << 192n) | (second << 128n) | (third << 64n) | low
  if (second !== 0n) return (second << 128n) | (third << 64n) | low
  return third === 0n ? low : (third << 64n) | low
}

function fillWord(value: bigint): void {
  if (value <= MASK_64) {
    WORD.fill(0, 0, 24)
  } else {
    WORD_VIEW.setBigUint64(0, value >> 192n)
    WORD_VIEW.setBigUint64(8, value >> 128n)
    WORD_VIEW.setBigUint64(16, value >> 64n)
  }
  WORD_VIEW.setBigUint64(24, value)
}

function writeWord(bytes: Uint8Array, offset: number, value: bigint): void {
  fillWord(value)
  bytes.set(WORD, offset)
}

function toSlot(value: bigint): Uint8Array {
  fillWord(value)
  const slot = new Uint8Array(32)
  slot.set(WORD)
  return slot
}

/** Without leading zeros. */
function toBytes(value: bigint): Uint8Array {
  fillWord(value)
  let start = 0
  while (start < 32 && WORD[start] === 0) start++
  const bytes = new Uint8Array(32 - start)
  for (let i = start; i < 32; i++) bytes[i - start] = WORD[i] as number
  return bytes
}

function readAddress(bytes: Uint8Array): bigint {
  return toInteger(bytes)
}

function toInteger(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n
  if (bytes.length === 1) return BigInt(bytes[0] as number)
  return BigInt(`0x${Buffer.prototype.hexSlice.call(bytes, 0, bytes.length)}`)
}

function readPadded(data: Uint8Array, offset: bigint): bigint {
  if (offset >= BigInt(data.length)) return 0n
  const start = Number(offset)
  if (start + 32 <= data.length) return readWord(data, start)
  const word = new Uint8Array(32)
  word.set(data.subarray(start))
  return readWord(word, 0)
}

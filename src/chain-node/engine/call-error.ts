import { EVMError } from '@ethereumjs/evm'
import { CallError } from './engine.ts'

/** An opcode that could not run, with what geth says of it. */
export class OpcodeError extends EVMError {
  readonly text: string

  constructor(kind: EVMError['error'], text: string) {
    super(kind)
    this.text = text
  }
}

/** Gas that is not there, with what geth says of it. */
export class GasError extends EVMError {
  readonly text: string

  constructor(text: string) {
    super(EVMError.errorMessages.OUT_OF_GAS)
    this.text = text
  }
}

const LAST_UINT64 = 2n ** 64n - 1n
/** geth's: beyond it the cost of memory does not fit into 64 bits. */
const MOST_MEMORY = 0x1fffffffe0n

/** The error of memory up to there that cannot be paid for. */
export function refuseMemory(offset: bigint, length: bigint): EVMError {
  const end = offset + length
  if (end + 31n > LAST_UINT64) return new GasError('gas uint64 overflow')
  if (end > MOST_MEMORY) return new GasError('out of gas: gas uint64 overflow')
  return new EVMError(EVMError.errorMessages.OUT_OF_GAS)
}

/** Why an execution failed, as geth HEAD says it; `returned` is the data of a revert. */
export function describeFailure(error: EVMError, returned: Uint8Array): CallError {
  if (error.error !== EVMError.errorMessages.REVERT) {
    const isNamed = error instanceof OpcodeError || error instanceof GasError
    const text = isNamed ? error.text : TEXTS.get(error.error)
    return new CallError(text ?? error.error, null)
  }
  const reason = readRevertReason(returned)
  const text = reason === null ? 'execution reverted' : `execution reverted: ${reason}`
  return new CallError(text, returned)
}

const { errorMessages } = EVMError

/** geth's `core/vm/errors.go`. */
const TEXTS: ReadonlyMap<string, string> = new Map([
  [errorMessages.CODESTORE_OUT_OF_GAS, 'contract creation code storage out of gas'],
  [errorMessages.CODESIZE_EXCEEDS_MAXIMUM, 'max code size exceeded'],
  [errorMessages.INVALID_JUMP, 'invalid jump destination'],
  [errorMessages.STATIC_STATE_CHANGE, 'write protection'],
  [errorMessages.CREATE_COLLISION, 'contract address collision'],
  [errorMessages.INSUFFICIENT_BALANCE, 'insufficient balance for transfer'],
  [errorMessages.INVALID_BYTECODE_RESULT, 'invalid code: must not begin with 0xef'],
  [errorMessages.INITCODE_SIZE_VIOLATION, 'max initcode size exceeded'],
])

const ERROR_SELECTOR = 0x08c379a0
const PANIC_SELECTOR = 0x4e487b71

/** geth's `accounts/abi/abi.go`. */
const PANICS: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'generic panic'],
  [0x01n, 'assert(false)'],
  [0x11n, 'arithmetic underflow or overflow'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'enum overflow'],
  [0x22n, 'invalid encoded storage byte array accessed'],
  [0x31n, 'out-of-bounds array access; popping on an empty array'],
  [0x32n, 'out-of-bounds access of an array or bytesN'],
  [0x41n, 'out of memory'],
  [0x51n, 'uninitialized function'],
])

/** The text of `Error(string)` or the meaning of `Panic(uint256)`; null for anything else. */
export function readRevertReason(data: Uint8Array): string | null {
  if (data.length < 4) return null
  const selector = new DataView(data.buffer, data.byteOffset).getUint32(0)
  const body = data.subarray(4)
  if (selector === PANIC_SELECTOR) {
    const code = readWord(body, 0n)
    if (code === null) return null
    return PANICS.get(code) ?? `unknown panic code: 0x${code.toString(16)}`
  }
  if (selector !== ERROR_SELECTOR) return null
  const offset = readWord(body, 0n)
  const length = offset === null ? null : readWord(body, offset)
  if (offset === null || length === null) return null
  const end = offset + 32n + length
  if (end > BigInt(body.length)) return null
  return new TextDecoder().decode(body.subarray(Number(offset) + 32, Number(end)))
}

function readWord(bytes: Uint8Array, offset: bigint): bigint | null {
  if (offset + 32n > BigInt(bytes.length)) return null
  const start = Number(offset)
  return BigInt(`0x${Buffer.from(bytes.subarray(start, start + 32)).toString('hex')}`)
}
